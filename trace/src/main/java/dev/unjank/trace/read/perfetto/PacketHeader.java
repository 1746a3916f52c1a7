package dev.unjank.trace.read.perfetto;

import dev.unjank.trace.proto.PacketFields.TracePacket;
import dev.unjank.trace.proto.ProtoReader;

/** What surrounds a packet's content: when it is of, whose, and where the content is. Its fields come in any order. */
final class PacketHeader {
    static final long NO_TIME = -1;

    /** How many longs {@link #store} takes. */
    static final int WORDS = 4;

    private static final int DAMAGED = 1;
    private static final int DROPPED = 2;
    private static final int STATE = 4;

    private final ProtoReader packet = new ProtoReader();
    private long timestamp;
    private int clockId;
    private int sequenceId;
    private int sequenceFlags;
    private int content;
    private int contentAt;
    private int marks;

    /** Reads what surrounds the content of a packet. */
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

    /** Writes it down for {@link #load}; {@code from} is where the packet begins. */
    void store(long[] words, int at, int from) {
        words[at] = timestamp;
        words[at + 1] = (long) sequenceId << 32 | (clockId & 0xffffffffL);
        words[at + 2] = (long) (contentAt - from) << 32 | content;
        words[at + 3] = (long) sequenceFlags << 32 | marks;
    }

    /** Becomes what was written down, of a packet that begins at {@code from} now. */
    void load(long[] words, int at, int from) {
        timestamp = words[at];
        sequenceId = (int) (words[at + 1] >> 32);
        clockId = (int) words[at + 1];
        contentAt = from + (int) (words[at + 2] >> 32);
        content = (int) words[at + 2];
        sequenceFlags = (int) (words[at + 3] >> 32);
        marks = (int) words[at + 3];
    }

    /** Whether the packet's bytes make no sense; then nothing else counts. */
    boolean isDamaged() {
        return (marks & DAMAGED) != 0;
    }

    /** The packet's time on its clock, {@link #NO_TIME} if it has none. */
    long timestamp() {
        return timestamp;
    }

    /** The number of that clock, 0 if it is unknown. */
    int clockId() {
        return clockId;
    }

    /** The sequence to which the packet belongs. */
    int sequenceId() {
        return sequenceId;
    }

    /** What the packet says of its sequence's state, as a mask. */
    int sequenceFlags() {
        return sequenceFlags;
    }

    /** Whether packets before it, on its sequence, were lost. */
    boolean packetsDropped() {
        return (marks & DROPPED) != 0;
    }

    /** Whether it changes what later packets of its sequence build on. */
    boolean hasState() {
        return (marks & STATE) != 0;
    }

    /** The field number of its content, 0 if it has none. */
    int content() {
        return content;
    }

    /** Where the content's field begins. */
    int contentAt() {
        return contentAt;
    }
}
