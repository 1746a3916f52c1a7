package dev.unjank.trace.read.perfetto;

import java.io.IOException;

/** The packets of a trace, one after the other. */
interface PacketSource extends AutoCloseable {
    /** Moves to the next packet. */
    boolean next(PacketHeader frame) throws IOException;

    /** The array that holds the current packet, until the next is asked for. */
    byte[] bytes();

    /** Where the current packet begins. */
    int from();

    /** Where the current packet ends. */
    int to();

    /** Where in the file a byte of the current packet stands, given its index in {@link #bytes}. */
    long offsetOf(int index);

    /** Whether the current packet's bundle of kernel events was left in the file, and an empty one stands in its place. */
    boolean hasLeftBundle();

    /** Where in the file the bundle begins that was left there. */
    long leftOffset();

    /** How long it is. */
    int leftLength();

    /** Nobody will ask for more. */
    @Override
    void close();
}
