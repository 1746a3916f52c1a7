package dev.unjank.trace.write;

import dev.unjank.trace.proto.PacketFields.InternedData;
import dev.unjank.trace.proto.PacketFields.TracePacket;
import dev.unjank.trace.proto.PacketFields.TracePacketDefaults;
import dev.unjank.trace.proto.ProtoWriter;
import dev.unjank.trace.proto.TrackEventFields.TrackEventDefaults;
import java.io.IOException;

/**
 * Writes the packets of one sequence of track events. The first packet, and the first after a gap, resets the state
 * of the sequence: clock, default track, and interned names, categories and values. Memory is bounded: after {@value
 * #MAX_INTERNED} different names or categories, or {@value #MAX_VALUES} values, the state is reset.
 */
final class TrackEventSequence {
    static final int MAX_INTERNED = 4096;

    /** Fewer, since whole stacks are among them. */
    static final int MAX_VALUES = 1024;

    private final TraceWriter writer;
    private final int number;
    private final TraceClock clock;
    /** The default track of events. */
    final long defaultTrack;

    /** The interned strings to define in the current packet. */
    private final ProtoWriter interned = new ProtoWriter();

    private final InternedStrings names = new InternedStrings(interned, InternedData.EVENT_NAMES);
    private final InternedStrings categories = new InternedStrings(interned, InternedData.EVENT_CATEGORIES);

    private final InternedStrings values = new InternedStrings(interned, InternedData.DEBUG_ANNOTATION_STRING_VALUES);

    /** The current packet, between {@link #begin} and {@link #write}. */
    final ProtoWriter packet = new ProtoWriter();

    private boolean begun;
    private boolean packetsLost;

    /** Whether an event was begun and not written; nothing else may be written meanwhile. */
    private boolean isEventOpen;

    TrackEventSequence(TraceWriter writer, int number, TraceClock clock, long defaultTrack) {
        this.writer = writer;
        this.number = number;
        this.clock = clock;
        this.defaultTrack = defaultTrack;
    }

    /** An event was begun. */
    void openEvent() {
        requireWritten();
        isEventOpen = true;
    }

    /** The event was written. */
    void closeEvent() {
        if (!isEventOpen) {
            throw new IllegalStateException("this event has been written");
        }
        isEventOpen = false;
    }

    private void requireWritten() {
        if (isEventOpen) {
            throw new IllegalStateException("an event was begun and not written");
        }
    }

    /** Makes room for a name and a category, by a reset of the state if necessary. */
    void prepare(String name, String category) {
        if (!names.hasRoomFor(name, MAX_INTERNED)
                || !categories.hasRoomFor(category, MAX_INTERNED)
                || values.size() >= MAX_VALUES) {
            startAfresh();
        }
    }

    /** The number of a name, after {@link #prepare}. */
    int name(String name) {
        return names.number(name);
    }

    /** The number of a category, after {@link #prepare}. */
    int category(String category) {
        return categories.number(category);
    }

    /**
     * The number of a value of the current event. There is always room, since {@link #prepare} makes it for the next
     * event: an event has few values.
     */
    int value(String text) {
        return values.number(text);
    }

    /** Marks a loss of packets before the next one. */
    void lost() {
        requireWritten();
        packetsLost = true;
        startAfresh();
    }

    private void startAfresh() {
        begun = false;
        names.clear();
        categories.clear();
        values.clear();
    }

    /** Starts a packet. */
    void begin(long ts) {
        requireWritten();
        packet.clear();
        packet.varint(TracePacket.TRUSTED_PACKET_SEQUENCE_ID, number);
        packet.varint(TracePacket.TIMESTAMP, ts);
        if (packetsLost) {
            packet.bool(TracePacket.PREVIOUS_PACKET_DROPPED, true);
            packetsLost = false;
        }
        if (begun) {
            packet.varint(TracePacket.SEQUENCE_FLAGS, TracePacket.SEQ_NEEDS_INCREMENTAL_STATE);
            return;
        }
        begun = true;
        packet.varint(
                TracePacket.SEQUENCE_FLAGS,
                TracePacket.SEQ_INCREMENTAL_STATE_CLEARED | TracePacket.SEQ_NEEDS_INCREMENTAL_STATE);
        int defaults = packet.begin(TracePacket.TRACE_PACKET_DEFAULTS);
        packet.varint(TracePacketDefaults.TIMESTAMP_CLOCK_ID, clock.id());
        int ofEvents = packet.begin(TracePacketDefaults.TRACK_EVENT_DEFAULTS);
        packet.varint(TrackEventDefaults.TRACK_UUID, defaultTrack);
        packet.end(ofEvents);
        packet.end(defaults);
    }

    /** Writes a packet of an event, with the strings that it refers to. */
    void write(long ts, ProtoWriter event) throws IOException {
        begin(ts);
        if (interned.size() > 0) {
            packet.message(TracePacket.INTERNED_DATA, interned);
            interned.clear();
        }
        packet.message(TracePacket.TRACK_EVENT, event);
        writer.write(packet);
    }

    /** Writes the current packet. */
    void write() throws IOException {
        writer.write(packet);
    }
}
