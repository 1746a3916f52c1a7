package dev.unjank.trace.write;

/**
 * The encoding choices of Perfetto's format; readers support all of them.
 *
 * @param compactSched whether sched_switch and sched_waking are written as columns (small, the default on Android
 *     since 10) instead of single events; the columns omit the previous thread and the waker, which readers infer
 * @param compressedPackets whether packets are compressed with zlib, in batches
 */
public record WireFormat(boolean compactSched, boolean compressedPackets) {
    /** Single events, nothing compressed: the simplest to inspect. */
    public static final WireFormat PLAIN = new WireFormat(false, false);

    /** As Android devices record. */
    public static final WireFormat COMPACT = new WireFormat(true, false);

    /** As {@link #COMPACT}, and compressed: the smallest. */
    public static final WireFormat COMPRESSED = new WireFormat(true, true);
}
