package dev.unjank.trace.write;

/**
 * The choices that Perfetto's format leaves to whoever writes a trace. A reader must take them all.
 *
 * @param compactSched whether sched_switch and sched_waking go into Perfetto's columns (small, the default on Android since 10)
 *     rather than into an event each; the columns leave out who was switched off and who woke, which a reader infers
 * @param compressedPackets whether packets are packed with zlib, a batch at a time
 */
public record WireFormat(boolean compactSched, boolean compressedPackets) {
    /** One event per switch and waking, nothing compressed: what is easiest to look at. */
    public static final WireFormat PLAIN = new WireFormat(false, false);

    /** What Android devices record. */
    public static final WireFormat COMPACT = new WireFormat(true, false);

    /** As {@link #COMPACT}, and compressed: the smallest. */
    public static final WireFormat COMPRESSED = new WireFormat(true, true);
}
