package dev.unjank.workbench.bench.locks;

/** A computation of known length. */
final class SpinWork {
    private SpinWork() {}

    /** Computes for about two nanoseconds per step. This is work, not a wait: preemption does not shorten it. */
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
