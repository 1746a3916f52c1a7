package dev.unjank.trace.collections;

/** Two ints packed into one long. */
public final class IntPair {
    private IntPair() {}

    public static long pack(int high, int low) {
        return ((long) high << 32) | (low & 0xffffffffL);
    }

    public static int high(long pair) {
        return (int) (pair >> 32);
    }

    public static int low(long pair) {
        return (int) pair;
    }
}
