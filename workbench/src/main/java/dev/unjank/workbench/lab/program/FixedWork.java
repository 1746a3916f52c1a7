package dev.unjank.workbench.lab.program;

/**
 * A computation of fixed size: the same number of steps however often it is preempted, unlike a loop that checks the
 * clock.
 */
public final class FixedWork {
    private static final int TRIAL_STEPS = 1_000_000;
    private static final int TRIALS = 8;
    private static final double STEPS_PER_NANO = stepsPerNano();

    private static volatile long result;

    private FixedWork() {}

    /** Computes for about the given time on an otherwise idle CPU. */
    public static void nanos(long nanos) {
        steps((long) (nanos * STEPS_PER_NANO));
    }

    private static void steps(long steps) {
        long x = 88_172_645_463_325_252L;
        for (long i = 0; i < steps; i++) {
            x ^= x << 13;
            x ^= x >>> 7;
            x ^= x << 17;
        }
        result = x; // keeps the compiler from dropping the loop
    }

    /** The fastest of several trials; slower ones were not fully compiled or were preempted. */
    private static double stepsPerNano() {
        long best = Long.MAX_VALUE;
        for (int i = 0; i < TRIALS; i++) {
            long start = System.nanoTime();
            steps(TRIAL_STEPS);
            best = Math.min(best, System.nanoTime() - start);
        }
        return (double) TRIAL_STEPS / Math.max(1, best);
    }
}
