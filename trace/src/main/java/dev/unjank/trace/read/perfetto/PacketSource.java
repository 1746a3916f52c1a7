package dev.unjank.trace.read.perfetto;

import java.io.IOException;

/** A source of the packets of a trace, in order. */
interface PacketSource extends AutoCloseable {
    /** Moves to the next packet; returns false at the end. */
    boolean next(PacketHeader frame) throws IOException;

    /** The array with the current packet, valid until the next call of {@code next}. */
    byte[] bytes();

    /** The start of the current packet. */
    int from();

    /** The end of the current packet. */
    int to();

    /** The file offset of a byte of the current packet, given its index in {@link #bytes}. */
    long offsetOf(int index);

    /** Whether the current packet's bundle of kernel events was skipped and replaced by an empty one. */
    boolean hasSkippedBundle();

    /** The file offset of the skipped bundle. */
    long skippedOffset();

    /** The length of the skipped bundle. */
    int skippedLength();

    /** Releases the source. */
    @Override
    void close();
}
