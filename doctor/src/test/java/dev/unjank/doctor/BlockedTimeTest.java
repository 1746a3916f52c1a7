package dev.unjank.doctor;

import static dev.unjank.doctor.scene.SyntheticJvmTrace.EVENTS;
import static dev.unjank.doctor.scene.SyntheticJvmTrace.MAIN;
import static dev.unjank.doctor.scene.SyntheticJvmTrace.MS;
import static dev.unjank.doctor.scene.SyntheticJvmTrace.OTHER;
import static dev.unjank.doctor.scene.SyntheticJvmTrace.WORKER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.model.BlockedKind;
import dev.unjank.doctor.model.BlockedTime;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.report.CauseMessages;
import dev.unjank.doctor.scene.RealTraceDiagnoses;
import dev.unjank.doctor.scene.SceneDiagnoses;
import dev.unjank.doctor.scene.SyntheticJvmTrace;
import dev.unjank.trace.model.SchedState;
import dev.unjank.trace.model.Threads;
import dev.unjank.trace.model.Trace;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The table of blocked time: every wait is in it, idle or not, and no moment of a thread twice. */
class BlockedTimeTest {
    private static final List<String> IN_REQUEST =
            List.of("java.lang.Thread.sleep", "app.Shop.retry", "app.Shop.handle", "java.lang.Thread.run");
    private static final List<String> OWN_LOOP =
            List.of("java.lang.Thread.sleep", "app.Poller.run", "java.lang.Thread.run");
    private static final List<String> READ =
            List.of("sun.nio.ch.NioSocketImpl.read", "app.Db.query", "app.Shop.handle", "java.lang.Thread.run");
    private static final List<String> TAKE = List.of(
            "java.util.concurrent.locks.LockSupport.park",
            "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject.await",
            "java.util.concurrent.LinkedBlockingQueue.take",
            "app.Pool.borrow",
            "app.Shop.handle",
            "java.lang.Thread.run");

    private static BlockedTime of(SyntheticJvmTrace stage) {
        return stage.diagnose(DoctorOptions.defaults()).blockedTime();
    }

    private static void add(SyntheticJvmTrace stage, int tid, int from, int to, BlockedKind kind) {
        switch (kind) {
            case LOCK -> stage.waits(tid, from, to, "owner", EVENTS);
            case RESOURCE -> stage.stacked(tid, from, to, "park", "parking on app.Pool", TAKE);
            case IO -> stage.stacked(tid, from, to, "io", "socket read db:5432", READ);
            case SLEEP -> stage.stacked(tid, from, to, "sleep", "sleeping", IN_REQUEST);
            case IDLE -> stage.stacked(tid, from, to, "sleep", "sleeping", OWN_LOOP);
            case UNKNOWN -> stage.slice(tid, from, to, "park", "parking on app.Gate");
            default -> throw new IllegalArgumentException(kind.name());
        }
    }

    private static final List<BlockedKind> KINDS = List.of(
            BlockedKind.LOCK,
            BlockedKind.RESOURCE,
            BlockedKind.IO,
            BlockedKind.SLEEP,
            BlockedKind.IDLE,
            BlockedKind.UNKNOWN);

    /** Each number is a wait of 4 ms or none, on one of three threads, in turn. */
    @Property(tries = 100)
    void thePartsAddUpToTheWaitsOfAllThreads(
            @ForAll @Size(min = 1, max = 90) List<@IntRange(max = 8) Integer> waits,
            @ForAll @IntRange(max = 3) int gap) {
        Map<BlockedKind, Long> expected = new EnumMap<>(BlockedKind.class);
        int[] tids = {MAIN, WORKER, OTHER};
        try (SyntheticJvmTrace stage = new SyntheticJvmTrace()) {
            for (int i = 0; i < waits.size(); i++) {
                if (waits.get(i) < KINDS.size()) {
                    BlockedKind kind = KINDS.get(waits.get(i));
                    int from = i / 3 * 6;
                    add(stage, tids[i % 3], from, from + 6 - gap, kind);
                    expected.merge(kind, (6 - gap) * MS, Long::sum);
                }
            }
            BlockedTime time = of(stage);
            for (BlockedKind kind : BlockedKind.values()) {
                assertThat(time.ns(kind)).as(kind.name()).isEqualTo(expected.getOrDefault(kind, 0L));
            }
            assertThat(time.totalNs())
                    .isEqualTo(expected.values().stream().mapToLong(ns -> ns).sum());
        }
    }

    @Test
    void aPauseCountsForEachThreadThatDoesNotWait() {
        try (SyntheticJvmTrace stage = new SyntheticJvmTrace()) {
            stage.stop(50, 80, "gc", "GC pause: G1New (G1 Evacuation Pause)");
            add(stage, WORKER, 40, 60, BlockedKind.LOCK);
            add(stage, OTHER, 40, 90, BlockedKind.IDLE);
            BlockedTime time = of(stage);
            assertThat(time.ns(BlockedKind.LOCK)).isEqualTo(20 * MS);
            assertThat(time.ns(BlockedKind.PAUSE))
                    .as("two threads, and the worker after its wait")
                    .isEqualTo(80 * MS);
            assertThat(time.ns(BlockedKind.IDLE)).isEqualTo(50 * MS);
        }
    }

    /** Of the pauses a thread is stopped in those during its life only; the four others live throughout. */
    @Test
    void aPauseCountsForTheThreadsThatLive() {
        try (SyntheticJvmTrace stage = new SyntheticJvmTrace()) {
            stage.lives(EVENTS, "short", 20, 35)
                    .stop(5, 10, "gc", "GC pause: G1New (G1 Evacuation Pause)")
                    .stop(30, 50, "gc", "GC pause: G1New (G1 Evacuation Pause)")
                    .stop(60, 90, "gc", "GC pause: G1New (G1 Evacuation Pause)");
            BlockedTime time = of(stage);
            assertThat(time.ns(BlockedKind.PAUSE)).isEqualTo((4 * 55 + 5) * MS);
            SceneDiagnoses.assertSound(stage.diagnose());
        }
    }

    static Stream<String> recordings() {
        return RealTraceDiagnoses.names().filter(name -> name.contains(".jfr"));
    }

    /** Of the threads whose start or end is recorded, those with the shortest lives. */
    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("recordings")
    void noThreadIsBlockedForLongerThanItLives(String name) {
        Trace trace = RealTraceDiagnoses.trace(name);
        Threads threads = trace.threads();
        IntStream.range(1, threads.size())
                .filter(utid -> lifeNs(trace, utid) < trace.endNs() - trace.startNs())
                .boxed()
                .sorted(Comparator.comparingLong(utid -> lifeNs(trace, utid)))
                .limit(12)
                .forEach(utid -> {
                    DoctorOptions only = DoctorOptions.defaults().withThread("" + threads.tid(utid));
                    long allOfTid = IntStream.range(1, threads.size())
                            .filter(other -> threads.tid(other) == threads.tid(utid))
                            .mapToLong(other -> lifeNs(trace, other))
                            .sum();
                    assertThat(Doctor.diagnose(trace, only).blockedTime().totalNs())
                            .as(threads.name(utid))
                            .isLessThanOrEqualTo(Math.min(allOfTid, trace.endNs() - trace.startNs()));
                });
    }

    private static long lifeNs(Trace trace, int utid) {
        return Math.min(trace.endNs(), trace.threads().endNs(utid))
                - Math.max(trace.startNs(), trace.threads().startNs(utid));
    }

    /** Of scheduling states counts what no recorded wait explains. */
    @Test
    void theSchedulerFillsTheGaps() {
        try (SyntheticJvmTrace stage = new SyntheticJvmTrace()) {
            stage.runs(0, WORKER, "worker", 10, 20, SchedState.SLEEPING)
                    .runs(0, WORKER, "worker", 60, 70, SchedState.UNINTERRUPTIBLE)
                    .runs(0, WORKER, "worker", 80, 90, SchedState.RUNNABLE)
                    .runs(0, WORKER, "worker", 100, 110, SchedState.DEAD);
            add(stage, WORKER, 25, 55, BlockedKind.LOCK);
            BlockedTime time = of(stage);
            assertThat(time.ns(BlockedKind.LOCK)).isEqualTo(30 * MS);
            assertThat(time.ns(BlockedKind.UNKNOWN)).isEqualTo(10 * MS);
            assertThat(time.ns(BlockedKind.IO)).isEqualTo(10 * MS);
            assertThat(time.ns(BlockedKind.NO_CPU)).isEqualTo(10 * MS);
        }
    }

    @Test
    void aLooperIsIdleBetweenMessagesOnly() {
        try (SyntheticJvmTrace stage = new SyntheticJvmTrace()) {
            stage.message(WORKER, 60, 120, "draw")
                    .runs(0, WORKER, "worker", 10, 20, SchedState.SLEEPING)
                    .runs(0, WORKER, "worker", 60, 70, SchedState.SLEEPING)
                    .runs(0, WORKER, "worker", 100, 120, SchedState.DEAD);
            BlockedTime time = of(stage);
            assertThat(time.ns(BlockedKind.IDLE)).isEqualTo(40 * MS);
            assertThat(time.ns(BlockedKind.UNKNOWN)).isEqualTo(30 * MS);
        }
    }

    @Test
    void idleTimeIsNoneOfTheSumAndHasNoShare() {
        try (SyntheticJvmTrace stage = new SyntheticJvmTrace()) {
            add(stage, WORKER, 10, 40, BlockedKind.LOCK);
            add(stage, MAIN, 10, 20, BlockedKind.SLEEP);
            add(stage, OTHER, 10, 150, BlockedKind.IDLE);
            SceneDiagnoses.assertSound(stage.diagnose());
            assertThat(CauseMessages.blockedTime(of(stage)))
                    .isEqualTo(
                            "40.000 ms, summed over 3 threads, short waits included: locks 30.000 ms, sleep 10.000 ms. Idle time is not counted: 140.000 ms");
        }
    }
}
