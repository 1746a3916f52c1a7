package dev.unjank.record.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The documented limit: a recording ends within two seconds. HostileEndTest runs the command on busy machines, too. */
class EndLimitsTest {
    @Test
    void allStepsOfTheEndTakeTwoSecondsTogether() {
        assertThat(EndLimits.longestEnd()).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(2));
    }

    /** A new wait needs a limit for the end of a recording: add it to EndLimits, or its reason here. */
    private static final Map<String, String> LIMITS = Map.ofEntries(
            // at the end
            Map.entry("CommandLineReader.readByChild calls Process.waitFor", "COMMAND_LINE"),
            Map.entry("CriticalDowncallSource.stop calls PeriodicThread.stop", "MEMORY"),
            Map.entry("TracingSession.stop calls PeriodicThread.stop without a limit", "COMMAND_LINE and NAMES"),
            Map.entry("TargetDeadline.await calls FutureTask.get", "ANSWERS, READING, or MOMENT for cleanup"),
            Map.entry(
                    "FlightRecorderSource.rest calls PeriodicThread.stop without a limit",
                    "READING: called within TargetDeadline.read"),
            Map.entry(
                    "AgentClient.awaitLastSample calls CountDownLatch.await",
                    "ANSWERS: called within TargetDeadline.ask"),
            Map.entry("AgentClient.hasEnded calls Thread.join", "MOMENT, by TargetDeadline.rest"),
            Map.entry("TargetJvm.hasEnded calls CompletableFuture.get", "ANSWERS or MOMENT, by TargetDeadline.rest"),
            Map.entry("HelperProcess.close calls Process.waitFor", "HELPER"),
            Map.entry(
                    "Recording.close calls PeriodicThread.stop without a limit", "a write to the recorder's own file"),
            // at the start, given up when the recording is to end
            Map.entry("TimedRead.within calls ClosingTask.get", "isEnding"),
            Map.entry("JvmLibrary.of calls TimedRead.within", "isEnding"),
            Map.entry("CriticalDowncallSource.timed calls TimedRead.within", "isEnding"),
            Map.entry("QuiescenceWait.await calls LockSupport.parkNanos", "isEnding"),
            Map.entry("HelperProcess.started calls ClosingTask.get", "ANSWERS: called within TargetDeadline.ask"),
            // in threads that the end does not wait for
            Map.entry("PeriodicThread.run calls LockSupport.parkNanos", "woken by its stop()"),
            Map.entry("PeriodicThread.stop calls PeriodicThread.stop", "its callers are listed"),
            Map.entry("PeriodicThread.stop calls Thread.join", "its callers are listed"),
            Map.entry("CriticalDowncallSource.closeAfter calls PeriodicThread.stop without a limit", "a daemon thread"),
            Map.entry("ReplyStream.take calls BlockingQueue.offer", "a daemon thread, until its stream is closed"),
            Map.entry("ReplyStream.next calls BlockingQueue.poll", "called within TargetDeadline"),
            Map.entry("RequestWriter.write calls BlockingQueue.take", "a daemon thread"),
            // in other processes
            Map.entry("AttachProtocol.listen calls LockSupport.parkNanos", "the helper"),
            Map.entry("HelperMain.cleanUp calls Thread.join", "the helper"),
            Map.entry(
                    "LooperTrace.close calls PeriodicThread.stop without a limit",
                    "a program that traces its own loopers"),
            // -- COMMAND: a trusted program, whose times are documented
            Map.entry("StartedProgram.awaitHeld calls Process.waitFor", "isGivenUp"),
            Map.entry("StartedProgram.end calls Process.waitFor", "9 s, see SECURITY.md"));

    @Test
    void everyWaitHasALimit() throws Exception {
        assertThat(WaitingCalls.all()).containsExactlyInAnyOrderElementsOf(LIMITS.keySet());
    }
}
