package dev.unjank.trace.read.perfetto;

import dev.unjank.trace.proto.PacketFields.TracePacket;
import dev.unjank.trace.proto.ProtoReader;

/**
 * The fields of a packet around its content: the time, the sequence, and the position of the content. They come in
 * any order.
 */
final class PacketHeader {
    static final long NO_TIME = -1;

    /** The number of longs that {@link #store} writes. */
    static final int WORDS = 4;

    private static final int DAMAGED = 1;
    private static final int DROPPED = 2;
    private static final int STATE = 4;

    private final ProtoReader packet = new ProtoReader();
    /** The packet's time on its clock, {@link #NO_TIME} if it has none. */
    long timestamp;
    /** The number of that clock, 0 if unknown. */
    int clockId;
    /** The packet's sequence. */
    int sequenceId;
    /** The flags of the sequence's state, as a mask. */
    int sequenceFlags;
    /** The field number of its content, 0 if it has none. */
    int content;
    /** The start of the content's field. */
    int contentAt;

    private int marks;

    /** Parses the header of a packet. */
    void read(byte[] bytes, int from, int to) {
        timestamp = NO_TIME;
        clockId = 0;
        sequenceId = 0;
        sequenceFlags = 0;
        content = 0;
        contentAt = to;
        marks = 0;
        packet.reset(bytes, from, to);
        for (int at = from; packet.next(); at = packet.to()) {
            switch (packet.field()) {
                case TracePacket.TIMESTAMP -> timestamp = packet.value();
                case TracePacket.TIMESTAMP_CLOCK_ID -> clockId = packet.intValue();
                case TracePacket.TRUSTED_PACKET_SEQUENCE_ID -> sequenceId = packet.intValue();
                case TracePacket.SEQUENCE_FLAGS -> sequenceFlags |= packet.intValue();
                case TracePacket.INCREMENTAL_STATE_CLEARED ->
                    sequenceFlags |= packet.boolValue() ? TracePacket.SEQ_INCREMENTAL_STATE_CLEARED : 0;
                case TracePacket.PREVIOUS_PACKET_DROPPED ->
                    marks = packet.boolValue() ? marks | DROPPED : marks & ~DROPPED;
                case TracePacket.INTERNED_DATA, TracePacket.TRACE_PACKET_DEFAULTS -> marks |= STATE;
                default -> {
                    if (content == 0 && packet.isBytes()) {
                        content = packet.field();
                        contentAt = at;
                    }
                }
            }
        }
        marks |= packet.isDamaged() ? DAMAGED : 0;
    }

    /** Stores the header for {@link #load}; {@code from} is the start of the packet. */
    void store(long[] words, int at, int from) {
        words[at] = timestamp;
        words[at + 1] = (long) sequenceId << 32 | (clockId & 0xffffffffL);
        words[at + 2] = (long) (contentAt - from) << 32 | content;
        words[at + 3] = (long) sequenceFlags << 32 | marks;
    }

    /** Loads a stored header; {@code from} is the new start of the packet. */
    void load(long[] words, int at, int from) {
        timestamp = words[at];
        sequenceId = (int) (words[at + 1] >> 32);
        clockId = (int) words[at + 1];
        contentAt = from + (int) (words[at + 2] >> 32);
        content = (int) words[at + 2];
        sequenceFlags = (int) (words[at + 3] >> 32);
        marks = (int) words[at + 3];
    }

    /** Whether the packet is malformed; then nothing else is valid. */
    boolean isMalformed() {
        return (marks & DAMAGED) != 0;
    }

    /** Whether earlier packets of its sequence were lost. */
    boolean packetsDropped() {
        return (marks & DROPPED) != 0;
    }

    /** Whether it changes the state that later packets of its sequence depend on. */
    boolean hasState() {
        return (marks & STATE) != 0;
    }
}
