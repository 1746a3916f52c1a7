package dev.unjank.record.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.unjank.doctor.model.Frame;
import dev.unjank.doctor.model.FrameCost;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.OwnerInterval;
import dev.unjank.doctor.model.ThreadRef;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.model.WaitKind;
import dev.unjank.record.agent.LockOwnerSampler;
import dev.unjank.record.jvm.RecordedTarget.Slice;
import dev.unjank.trace.model.Args;
import dev.unjank.trace.model.Counters;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.read.jfr.JfrChunks;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One recording of one target that plays all scenes: what is in the trace, and what the doctor makes of it. */
class RecordedScenesTest {
    private static final String MONITOR = "monitor contention with owner ";
    private static final String PROGRAM = "dev.unjank.record.jvm.JvmTargetProgram.";
    private static final long HOLD_NS = JvmTargetProgram.HOLD_MS * 1_000_000L;

    @TempDir
    static Path directory;

    static RecordedTarget recorded;
    static String errors;

    @BeforeAll
    static void record() throws IOException {
        assumeTrue(System.getProperty("os.name").equals("Linux"), "attaching to a process needs Linux here");
        try (JvmTargetProcess target = JvmTargetProcess.start("-XX:+EnableDynamicAgentLoading")) {
            recorded = RecordedTarget.of(
                    target,
                    directory.resolve("scenes.pftrace"),
                    Duration.ofSeconds(1),
                    "blocked",
                    "chain",
                    "convoy",
                    "reentrant",
                    "write",
                    "read",
                    "readers",
                    "virtual",
                    "virtual waiters",
                    "condition",
                    "load",
                    "collect",
                    "frames",
                    "flood",
                    "deadlock");
            errors = target.errors();
        }
    }

    @Test
    void theTargetPrintsNoErrors() {
        assertThat(errors).isEmpty();
    }

    /** Of all the waits of all scenes none is for a lock that the observer has. */
    @Test
    void theAgentHoldsNoLock() {
        assertThat(recorded.slices())
                .hasSizeGreaterThan(50)
                .noneMatch(slice -> slice.name().contains(LockOwnerSampler.NAME))
                .noneMatch(slice -> slice.thread().equals(LockOwnerSampler.NAME));
    }

    @Test
    void aBlockedThreadNamesTheOwnerAndWhereItIs() {
        Slice slice = only("ui (one)", MONITOR);
        int worker = recorded.tid("worker");

        assertThat(worker).isPositive();
        assertThat(slice.name())
                .startsWith(MONITOR + "worker (" + worker + ") at void " + PROGRAM + "holdUntilBlocked(")
                .contains(")(JvmTargetProgram.java:")
                .contains(" waiters=0")
                .contains(" blocking from void " + PROGRAM + "enter(java.lang.Object)(JvmTargetProgram.java:");
        assertThat(slice.durNs()).isGreaterThanOrEqualTo(HOLD_NS);
        assertThat(slice.endNs()).isLessThan(only("chain one", MONITOR).startNs());
    }

    @Test
    void theDoctorSaysThatTheOwnerSlept() {
        Incident incident = incident("ui (one)");

        assertThat(incident.verdict()).isEqualTo(Verdict.SLEEPING_OWNER);
        assertThat(incident.owner().thread().name()).isEqualTo("worker");
    }

    @Test
    void aChainIsFollowedToItsEnd() {
        assertThat(only("chain one", MONITOR).name()).startsWith(MONITOR + "chain two (");
        assertThat(only("chain two", MONITOR).name()).startsWith(MONITOR + "chain three (");
        assertThat(incident("chain one").chain()).hasSizeGreaterThanOrEqualTo(2);
        assertThat(incident("chain one").verdict()).isEqualTo(Verdict.SLEEPING_OWNER);
    }

    @Test
    void everyThreadOfAConvoyHasItsOwner() {
        List<Incident> incidents = recorded.diagnosis().incidents().stream()
                .filter(incident -> incident.rootWait().kind() == WaitKind.MONITOR)
                .filter(incident ->
                        String.valueOf(incident.rootWait().thread().name()).startsWith("convoy "))
                .toList();

        assertThat(incidents).hasSize(5).allSatisfy(incident -> {
            OwnerInterval first = incident.rootWait().otherOwnersIntervals().getFirst();
            assertThat(first.owner().thread().name()).isEqualTo("convoy first");
            // on a slow machine those that came between may take longer than the first
            assertThat(incident.verdict()).isIn(Verdict.SLEEPING_OWNER, Verdict.LOCK_CONVOY);
        });
    }

    @Test
    void aLockOfTheLibraryHasAnOwner() {
        assertThat(only("lock waiter", "parking on java.util.concurrent.locks.ReentrantLock")
                        .name())
                .contains(" (owner tid: " + recorded.tid("lock owner") + ")");
        assertThat(only("next writer", "parking on java.util.concurrent.locks.ReentrantReadWriteLock")
                        .name())
                .contains(" (owner tid: " + recorded.tid("writer") + ")");
    }

    @Test
    void aSlowClassLoadIsRecorded() {
        Slice slice = only("class user", "class load " + JvmTargetProgram.Needed.class.getName());

        assertThat(slice.durNs()).isGreaterThanOrEqualTo(HOLD_NS);
    }

    @Test
    void aReaderWaitsForTheWriter() {
        assertThat(only("next reader", "parking on java.util.concurrent.locks.ReentrantReadWriteLock")
                        .name())
                .contains(" (owner tid: " + recorded.tid("lone writer") + ")");
        for (String waiter : List.of("lock waiter", "next writer", "next reader")) {
            assertThat(incident(waiter).verdict())
                    .as("of %s: %s", waiter, incident(waiter))
                    .isEqualTo(Verdict.SLEEPING_OWNER);
        }
    }

    @Test
    void whoReadsIsNotKnownAndNotGuessed() {
        assertThat(only("waiting writer", "parking on java.util.concurrent.locks.ReentrantReadWriteLock")
                        .name())
                .contains(" (owner tid: 0)");
        assertThat(incident("waiting writer").verdict()).isEqualTo(Verdict.UNKNOWN);
    }

    @Test
    void aVirtualThreadIsAnOwnerAsAnyOther() {
        int owner = recorded.tid("virtual owner");

        assertThat(owner).isGreaterThanOrEqualTo(JfrChunks.FIRST_VIRTUAL);
        assertThat(only("blocked by virtual", MONITOR).name())
                .startsWith(MONITOR + "virtual owner (" + owner
                        + ") at void null()(null:-1)"); // no JDK reports where it is
        assertThat(only("parked by virtual", "parking on java.util.concurrent.locks.ReentrantLock")
                        .name())
                .contains(" (owner tid: " + owner + ")");
        for (String waiter : List.of("blocked by virtual", "parked by virtual")) {
            assertThat(incident(waiter).verdict())
                    .as("of %s: %s", waiter, incident(waiter))
                    .isEqualTo(Verdict.SLEEPING_OWNER);
            assertThat(incident(waiter).owner().thread().name()).isEqualTo("virtual owner");
        }
    }

    /** The JVM does not list them, not even on request. */
    @Test
    void waitsOfVirtualThreadsAreNotRecordedWhichTheDetailStates() {
        for (String waiter : List.of("virtual blocked", "virtual parked")) {
            assertThat(recorded.slices(waiter, MONITOR)).isEmpty();
            assertThat(recorded.slices(waiter, "parking on ")).isEmpty();
            assertThat(recorded.incidents(waiter)).isEmpty();
        }
        assertThat(source("Flight Recorder")).contains("of platform threads");
    }

    /** What the recording says of one of its sources. */
    private static String source(String name) {
        Slices slices = recorded.trace().slices();
        Args args = recorded.trace().args();
        for (int row = 0; row < slices.size(); row++) {
            if (slices.name(row).equals("source: " + name)) {
                return args.text(args.first(row)) + " " + args.text(args.first(row) + 1);
            }
        }
        return "nothing";
    }

    @Test
    void waitingForAConditionIsNoContention() {
        assertThat(recorded.slices("condition waiter", "parking on "))
                .isNotEmpty()
                .allSatisfy(slice -> assertThat(slice.name()).doesNotContain("owner tid"));
        assertThat(recorded.incidents("condition waiter"))
                .noneMatch(incident -> incident.rootWait().kind().isLock());
    }

    @Test
    void theStackOfAWaitIsRecorded() {
        for (Slice wait : List.of(
                only("ui (one)", MONITOR),
                only("lock waiter", "parking on "),
                only("condition waiter", "parking on "))) {
            assertThat(wait.stack())
                    .as("%s", wait)
                    .contains(" " + PROGRAM)
                    .contains("(JvmTargetProgram.java:")
                    .contains("\nvoid java.lang.Thread.run()(Thread.java:");
        }
    }

    @Test
    void whoAsksForCollectionsStopsTheProcess() {
        assertThat(recorded.slices().stream()
                        .filter(slice -> slice.name().startsWith("GC pause: "))
                        .filter(slice -> slice.name().endsWith("(System.gc())")))
                .hasSizeGreaterThanOrEqualTo(3)
                .allMatch(slice -> slice.category().equals("gc"));
        List<Incident> stops = recorded.diagnosis().incidents().stream()
                .filter(incident -> incident.rootWait().isProcessPause())
                .filter(incident -> incident.rootWait().target().contains("System.gc()"))
                .toList();
        assertThat(stops)
                .as("of %s", recorded.diagnosis().incidents())
                .isNotEmpty()
                .allSatisfy(stop -> assertThat(stop.verdict()).isEqualTo(Verdict.GC_BLOCKED))
                .allSatisfy(stop -> assertThat(stop.responsibleThread())
                        .isNotNull()
                        .extracting(ThreadRef::name)
                        .isEqualTo("collection caller"));
    }

    @Test
    void theHeapIsCounted() {
        Counters counters = recorded.trace().counters();
        List<String> names = IntStream.range(0, counters.tracks())
                .filter(track -> counters.end(track) > counters.first(track))
                .mapToObj(counters::name)
                .toList();

        assertThat(names).contains("heap used", "message wait").doesNotContain(JfrChunks.NANO_TIME);
    }

    @Test
    void theFrameInWhichALooperWaitedAndTheNextOneAreLateForThatReason() {
        Incident incident = incident("drawer");
        List<Frame> late = recorded.diagnosis().costsOf(incident).stream()
                .map(FrameCost::frame)
                .filter(Frame::missed)
                .sorted(Comparator.comparingLong(Frame::startNs))
                .toList();

        assertThat(recorded.diagnosis().summary().frames()).isEqualTo(6);
        assertThat(incident.verdict()).isEqualTo(Verdict.SLEEPING_OWNER);
        assertThat(incident.owner().thread().name()).isEqualTo("paint worker");
        assertThat(late)
                .as(
                        "of %s",
                        recorded.diagnosis().frames()) // a third one, if the machine stood still for another moment
                .hasSizeGreaterThanOrEqualTo(2)
                .allSatisfy(frame -> assertThat(frame.name()).isEqualTo("drawer (" + recorded.tid("drawer") + ")"))
                .allSatisfy(frame -> assertThat(frame.jankType()).isEqualTo("App Deadline Missed"));
        assertThat(late.getFirst().missedByNs()).isGreaterThanOrEqualTo(HOLD_NS - LooperScenes.FRAME.toNanos());
    }

    @Test
    void whoFloodsALooperIsNamed() {
        List<Slice> sent = recorded.slices("flooder", "message_queue_send");
        List<Slice> delivered = recorded.slices("clerk", "dev.unjank.record.jvm.LooperScenes$");

        assertThat(sent)
                .hasSize(LooperScenes.MESSAGES)
                .allMatch(slice -> slice.category().equals("mq"));
        assertThat(delivered).as("of %s", recorded.slices("clerk", "")).hasSize(LooperScenes.MESSAGES);
        assertThat(recorded.trace().flows().size()).isGreaterThanOrEqualTo(LooperScenes.MESSAGES);
        Incident incident = incident("clerk");
        assertThat(incident.verdict()).isEqualTo(Verdict.QUEUE_BACKLOG);
        assertThat(incident.responsibleThread())
                .as("%s", incident)
                .isNotNull()
                .extracting(ThreadRef::name)
                .isEqualTo("flooder");
    }

    @Test
    void framesThatALooperPassedOverWereExpected() {
        // It waited for four periods at least: the next frame was due in the first, and began after the last.
        assertThat(recorded.trace().frames().missed())
                .hasSizeGreaterThanOrEqualTo(2)
                .allSatisfy(frame -> assertThat(frame.deadlineNs() - frame.expectedStartNs())
                        .isCloseTo(LooperScenes.FRAME.toNanos(), within(1_000L)));
    }

    @Test
    void aDeadlockIsThere() {
        Slice one = only("deadlock one", MONITOR);
        Slice two = only("deadlock two", MONITOR);

        assertThat(one.name()).startsWith(MONITOR + "deadlock two (" + two.tid() + ") at ");
        assertThat(two.name()).startsWith(MONITOR + "deadlock one (" + one.tid() + ") at ");
        assertThat(incident("deadlock one").verdict()).isEqualTo(Verdict.DEADLOCK);
    }

    @Test
    void theClassOfAMonitorStandsBesideTheNameOfTheWaitBeItOverOrNot() {
        for (String thread : List.of("ui (one)", "deadlock one")) {
            assertThat(incident(thread).rootWait().target()).as(thread).isEqualTo("java.lang.Object");
        }
    }

    @Test
    void everyNameIsOfTheFormThatPerfettoReads() {
        List<Slice> contentions = recorded.slices().stream()
                .filter(slice -> slice.name().startsWith(MONITOR))
                .toList();

        assertThat(contentions)
                .hasSizeGreaterThan(8)
                .allSatisfy(slice -> assertThat(slice.name())
                        .matches("monitor contention with owner [^(]*\\S \\(\\d+\\)"
                                + " at \\S+ [^ (]+\\([^)]*\\)\\([^)]+:-?\\d+\\)"
                                + " waiters=\\d+"
                                + " blocking from \\S+ [^ (]+\\([^)]*\\)\\([^)]+:-?\\d+\\)"));
    }

    /** How far they are apart from the kernel's is {@link ClockAlignmentTest}. */
    @Test
    void clocksAreTiedTogetherToMicroseconds() {
        // The owner's sleep ends before the waiter goes on, both by Flight Recorder; the look that saw them is by
        // nanoTime.
        Slice wait = only("ui (one)", MONITOR);
        Slice sleep = recorded.slices("worker", "sleeping").getLast();

        assertThat(wait.endNs()).isGreaterThan(sleep.endNs());
        assertThat(ClockAlignmentTest.errors(recorded.trace()))
                .isNotEmpty()
                .allMatch(error -> error <= ClockAlignmentTest.ERROR_NS);
    }

    private static Slice only(String thread, String prefix) {
        List<Slice> slices = recorded.slices(thread, prefix).stream()
                .filter(slice -> slice.durNs() > HOLD_NS / 2)
                .toList();
        assertThat(slices).as("%s of %s", prefix, thread).hasSize(1);
        return slices.getFirst();
    }

    private static Incident incident(String thread) {
        List<Incident> incidents = recorded.incidents(thread);
        assertThat(incidents).as("incidents of %s", thread).isNotEmpty();
        return incidents.getFirst();
    }
}
