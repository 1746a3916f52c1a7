package dev.unjank.doctor;

/**
 * A time in which a thread waited, as one {@link WaitSource} found it, before anybody has asked whose fault it was.
 *
 * @param source who found it and knows more
 * @param utid the thread
 * @param row the row that tells of it, in a table that the source knows: mostly a slice
 * @param startNs when it began
 * @param endNs when it ended, or what tells of it did
 * @param open whether what tells of it ended before it did
 */
record Stall(WaitSource source, int utid, int row, long startNs, long endNs, boolean open) {
    long durNs() {
        return endNs - startNs;
    }

    /** The rest of it from a moment on. */
    Stall from(long ts) {
        return new Stall(source, utid, row, ts, endNs, open);
    }
}
