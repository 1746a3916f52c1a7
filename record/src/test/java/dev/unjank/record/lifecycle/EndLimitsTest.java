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
            Map.entry("AttachProtocol.ask calls LockSupport.parkNanos", "the helper"),
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

    /** How long the locks of a class are held. A new one is added here with the limit of what it does meanwhile. */
    private static final Map<String, String> LOCKS = Map.ofEntries(
            Map.entry("AgentClient", "its fields; sends through a queue"),
            Map.entry("CommandLineReader", "COMMAND_LINE"),
            Map.entry("JavaThreads", "writes to the recorder's own file"),
            Map.entry("LockOwnerSamples", "a list of bounded length"),
            Map.entry("Pipe", "a pipe that does not block"),
            Map.entry("Recording", "the whole end; only taken by close()"),
            Map.entry("RecordingFile", "writes to the recorder's own file"),
            Map.entry("RevocableSink", "writes to the recorder's own file"),
            Map.entry("RollingJfrRecording", "ANSWERS: its requests are made within TargetDeadline.ask"),
            Map.entry("TargetDeadline", "its fields"),
            Map.entry("TargetJvm", "attaching: ANSWERS; at the start COMMAND_LINE"),
            Map.entry("StartedProgram", "a field"),
            // in other processes
            Map.entry("HelperMain", "the helper"),
            Map.entry("RequestConnection", "the helper"),
            Map.entry("TargetTmpFolder", "the helper"),
            Map.entry("LooperTrace", "a program that traces its own loopers"));

    @Test
    void everyLockIsHeldForALimitedTime() throws Exception {
        assertThat(WaitingCalls.synchronizing()).containsExactlyInAnyOrderElementsOf(LOCKS.keySet());
    }

    /** Why the reads of a class do not delay the end. */
    private static final Map<String, String> READS = Map.ofEntries(
            // at the end
            Map.entry("CommandLineReader", "the output of a process that has ended"),
            Map.entry("HelperProtocol", "a daemon thread; the helper"),
            Map.entry("AgentClient", "a daemon thread; at the start within TargetDeadline.ask"),
            Map.entry("JfrFileCopier", "READING"),
            Map.entry("PartJoiner", "the recorder's own files; the time to join them is documented"),
            Map.entry("ProcFile", "files that the kernel computes; those that the target can block: see SECURITY.md"),
            Map.entry("ProcessMemory", "MEMORY; at the start within TimedRead"),
            Map.entry("TraceFs", "files that the kernel computes"),
            Map.entry("TraceInstance", "files that the kernel computes"),
            Map.entry("Uprobes", "files that the kernel computes"),
            Map.entry("Cpus", "files that the kernel computes"),
            // at the start
            Map.entry("FileWindow", "a file that is not on FUSE"),
            Map.entry("AgentJar", "the recorder's own files"),
            Map.entry("GateAgentJar", "the recorder's own files"),
            Map.entry("JavaCommand", "-- COMMAND: a trusted program"),
            // in other processes
            Map.entry("MainMethodGate", "-- COMMAND: a trusted program"));

    @Test
    void everyReadHasALimit() throws Exception {
        assertThat(WaitingCalls.reading()).containsExactlyInAnyOrderElementsOf(READS.keySet());
    }
}
