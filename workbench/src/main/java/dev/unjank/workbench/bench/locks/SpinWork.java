package dev.unjank.workbench.bench.locks;

/** A computation of known length. */
final class SpinWork {
    private SpinWork() {}

    /** Computes, for about two nanoseconds a step. It is work, not a wait: a thread that loses its processor has it still to do. */
    static long steps(long seed, int steps) {
        long x = seed | 1;
        for (int i = 0; i < steps; i++) {
            x ^= x << 13;
            x ^= x >>> 7;
            x ^= x << 17;
        }
        return x;
    }
}
