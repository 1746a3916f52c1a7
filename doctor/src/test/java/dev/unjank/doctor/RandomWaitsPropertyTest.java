package dev.unjank.doctor;

import dev.unjank.doctor.scene.SceneDiagnoses;
import dev.unjank.doctor.scene.SyntheticTrace;
import dev.unjank.trace.model.SchedState;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * Threads of two processes that run, sleep, call each other and wait for each other at random, whether or not it makes
 * sense.
 */
class RandomWaitsPropertyTest {
    private static final int THREADS = 6;
    private static final double END = 60;
    private static final List<SchedState> AFTER_RUNNING = List.of(
            SchedState.SLEEPING, SchedState.RUNNABLE_PREEMPTED, SchedState.UNINTERRUPTIBLE, SchedState.RUNNABLE);

    @Property(tries = 150)
    void theLeavesAddUpToEachIncident(@ForAll long seed) {
        Random random = new Random(seed);
        SyntheticTrace stage =
                new SyntheticTrace().process(1000, "com.example.app").process(1005, "server");
        for (int i = 0; i < THREADS; i++) {
            stage.thread(1000 + i, i < 3 ? 1000 : 1005, "thread " + i, 100 + random.nextInt(40));
        }
        for (int i = 0; i < THREADS; i++) {
            states(stage, 1000 + i, random);
            slices(stage, 1000 + i, 0, END, 3, random);
        }
        for (int i = 0; i < 6; i++) {
            double from = random.nextDouble() * END;
            double begins = from + random.nextDouble();
            double ends = begins + random.nextDouble() * 9;
            stage.call(tid(random), from, ends + random.nextDouble(), tid(random), begins, ends);
        }
        for (int token = 0; token < 4; token++) {
            double from = random.nextDouble() * END;
            stage.frame(random.nextBoolean() ? 1000 : 1005, token, from, from + 1, from + 1 + random.nextDouble() * 30);
        }
        SceneDiagnoses.assertSound(stage.diagnose(SceneDiagnoses.EVERYTHING));
    }

    private static int tid(Random random) {
        return 1000 + random.nextInt(THREADS);
    }

    private static void states(SyntheticTrace stage, int tid, Random random) {
        double now = random.nextDouble() * 3;
        while (now < END) {
            double until = now + 0.01 + random.nextDouble() * 4;
            SchedState then = AFTER_RUNNING.get(random.nextInt(AFTER_RUNNING.size()));
            stage.runs(tid, now, until, then);
            now = until + 0.1 + random.nextDouble() * 6;
            if (then == SchedState.SLEEPING && random.nextBoolean()) {
                stage.wakes(tid(random), now - 0.05, tid);
            }
        }
    }

    /** Slices within one another, some of which are waits. */
    private static void slices(SyntheticTrace stage, int tid, double from, double to, int depth, Random random) {
        double now = from;
        while (depth > 0 && now < to) {
            double start = now + random.nextDouble() * 5;
            double end = Math.min(to, start + random.nextDouble() * 12);
            if (start < end) {
                stage.slice(tid, name(random), start, end);
                slices(stage, tid, start, end, depth - 1, random);
            }
            now = end;
        }
    }

    private static String name(Random random) {
        return switch (random.nextInt(8)) {
            case 0 -> "Lock contention on thread list lock (owner tid: " + tid(random) + ")";
            case 1 ->
                "monitor contention with owner thread 1 (1001) at void a.B.c()(B.java:1) waiters=" + random.nextInt(4);
            case 2 -> "IncrementalDisableThreadFlip";
            case 3 -> "Background concurrent copying GC";
            case 4 -> "FlipThreadRoots";
            case 5 -> "sys_futex";
            case 6 -> "DrawFrames " + random.nextInt(4);
            default -> "work";
        };
    }
}
