package dev.unjank.trace.write;

import dev.unjank.trace.proto.PacketFields.InternedData;
import dev.unjank.trace.proto.PacketFields.TracePacket;
import dev.unjank.trace.proto.PacketFields.TracePacketDefaults;
import dev.unjank.trace.proto.ProtoWriter;
import dev.unjank.trace.proto.TrackEventFields.TrackEventDefaults;
import java.io.IOException;

/**
 * The packets of one sequence of track events. A first one, and one behind a gap, begins the sequence's state: clock and default track, and
 * the numbers of names, categories and values. Memory is bounded: after {@value #MAX_INTERNED} different names or categories, or {@value
 * #MAX_VALUES} values, the numbering starts afresh.
 */
final class TrackEventSequence {
    static final int MAX_INTERNED = 4096;

    /** Fewer, since whole stacks are among them. */
    static final int MAX_VALUES = 1024;

    private final TraceWriter writer;
    private final int number;
    private final TraceClock clock;
    private final long defaultTrack;

    /** Texts that the packet being made has to tell. */
    private final ProtoWriter interned = new ProtoWriter();

    private final InternedStrings names = new InternedStrings(interned, InternedData.EVENT_NAMES);
    private final InternedStrings categories = new InternedStrings(interned, InternedData.EVENT_CATEGORIES);

    private final InternedStrings values = new InternedStrings(interned, InternedData.DEBUG_ANNOTATION_STRING_VALUES);

    private final ProtoWriter packet = new ProtoWriter();
    private boolean begun;
    private boolean packetsLost;

    /** Whether an event has been begun and not written, which nothing else may come between. */
    private boolean isEventOpen;

    TrackEventSequence(TraceWriter writer, int number, TraceClock clock, long defaultTrack) {
        this.writer = writer;
        this.number = number;
        this.clock = clock;
        this.defaultTrack = defaultTrack;
    }

    /** The track of most events, which then need not name it. */
    long defaultTrack() {
        return defaultTrack;
    }

    /** An event is begun. */
    void openEvent() {
        requireWritten();
        isEventOpen = true;
    }

    /** The event is written. */
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

    /** Makes room for a name and a category: the numbering may have to start afresh. */
    void prepare(String name, String category) {
        if (!names.hasRoomFor(name, MAX_INTERNED)
                || !categories.hasRoomFor(category, MAX_INTERNED)
                || values.size() >= MAX_VALUES) {
            startAfresh();
        }
    }

    /** The number of a name for which there is room. */
    int name(String name) {
        return names.number(name);
    }

    /** The number of a category for which there is room. */
    int category(String category) {
        return categories.number(category);
    }

    /**
     * The number of a value of an event that was begun. There is always room, which {@link #prepare} makes for the next event's: an event
     * has few.
     */
    int value(String text) {
        return values.number(text);
    }

    /** Packets were lost before the next one. */
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

    /** The packet that {@link #begin} starts and {@link #write} writes. */
    ProtoWriter packet() {
        return packet;
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

    /** Writes a packet of an event, with the texts that it refers to. */
    void write(long ts, ProtoWriter event) throws IOException {
        begin(ts);
        if (interned.size() > 0) {
            packet.message(TracePacket.INTERNED_DATA, interned);
            interned.clear();
        }
        packet.message(TracePacket.TRACK_EVENT, event);
        writer.write(packet);
    }

    /** Writes the packet that was begun. */
    void write() throws IOException {
        writer.write(packet);
    }
}
