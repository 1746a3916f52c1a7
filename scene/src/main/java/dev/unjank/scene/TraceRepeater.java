package dev.unjank.scene;

import dev.unjank.trace.model.UnusableTraceException;
import dev.unjank.trace.proto.FrameFields.FrameEnd;
import dev.unjank.trace.proto.FrameFields.FrameTimelineEvent;
import dev.unjank.trace.proto.FtraceFields.CompactSched;
import dev.unjank.trace.proto.FtraceFields.FtraceEvent;
import dev.unjank.trace.proto.FtraceFields.FtraceEventBundle;
import dev.unjank.trace.proto.PackedNumbers;
import dev.unjank.trace.proto.PacketFields.Clock;
import dev.unjank.trace.proto.PacketFields.ClockSnapshot;
import dev.unjank.trace.proto.PacketFields.ProcessTree;
import dev.unjank.trace.proto.PacketFields.Trace;
import dev.unjank.trace.proto.PacketFields.TracePacket;
import dev.unjank.trace.proto.PacketFields.TracePacketDefaults;
import dev.unjank.trace.proto.ProtoReader;
import dev.unjank.trace.proto.ProtoWriter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.InflaterInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Creates a long trace by repeating the packets of a short one, as if the device had repeated its activity. Each
 * repetition is shifted by the duration of the source. Times of packets, kernel events and clock snapshots are shifted
 * on every clock, and frames get new cookies; everything else is unchanged. Compressed packets are decompressed. The
 * output depends only on the input.
 *
 * <p>Packets are written one by one; only the source is held in memory.
 */
public final class TraceRepeater {
    private static final int FIRST_CUSTOM_CLOCK = 64;
    private static final long GAP_NS = 1_000_000;
    private static final String DAMAGED = "not a Perfetto trace, or a damaged one: it cannot be repeated";

    /**
     * A rule to rewrite a field: shift its value, or rewrite the fields of its message. Fields without a rule are
     * copied.
     */
    private sealed interface Rule {}

    private enum Move implements Rule {
        /** The time of a kernel event. */
        EVENT_TIME,
        /** A packed list: the time of a kernel event, then deltas. */
        EVENT_TIMES,
        /** A clock reading in nanoseconds, 0 if missing. */
        TIME,
        /** A frame's cookie. */
        COOKIE,
        /** A clock reading in the clock's own unit. */
        CLOCK_READING,
        /** A packet's timestamp, which may be incremental. */
        PACKET_TIME
    }

    /** The rules for the fields of a message, by field number. */
    private static final class Shape implements Rule {
        private final @Nullable Rule[] rules;

        private Shape(int highestField) {
            rules = new @Nullable Rule[highestField + 1];
        }

        static Shape of(Map<Integer, ? extends Rule> rules) {
            Shape shape = new Shape(Collections.max(rules.keySet()));
            rules.forEach((field, rule) -> shape.rules[field] = rule);
            return shape;
        }

        @Nullable
        Rule rule(int field) {
            return field < rules.length ? rules[field] : null;
        }
    }

    private static final Shape BUNDLE = Shape.of(Map.of(
            FtraceEventBundle.EVENT, Shape.of(Map.of(FtraceEvent.TIMESTAMP, Move.EVENT_TIME)),
            FtraceEventBundle.COMPACT_SCHED,
                    Shape.of(Map.of(
                            CompactSched.SWITCH_TIMESTAMP, Move.EVENT_TIMES,
                            CompactSched.WAKING_TIMESTAMP, Move.EVENT_TIMES)),
            FtraceEventBundle.FTRACE_TIMESTAMP, Move.TIME,
            FtraceEventBundle.BOOT_TIMESTAMP, Move.TIME,
            FtraceEventBundle.LAST_READ_EVENT_TIMESTAMP, Move.TIME,
            FtraceEventBundle.PREVIOUS_BUNDLE_END_TIMESTAMP, Move.TIME));

    /** Every kind of frame event has its cookie in field 1. */
    private static final Shape FRAME = Shape.of(Map.of(FrameEnd.COOKIE, Move.COOKIE));

    private static final Shape PACKET = Shape.of(Map.of(
            TracePacket.TIMESTAMP, Move.PACKET_TIME,
            TracePacket.FTRACE_EVENTS, BUNDLE,
            TracePacket.PROCESS_TREE, Shape.of(Map.of(ProcessTree.COLLECTION_END_TIMESTAMP, Move.TIME)),
            TracePacket.CLOCK_SNAPSHOT,
                    Shape.of(Map.of(ClockSnapshot.CLOCKS, Shape.of(Map.of(Clock.TIMESTAMP, Move.CLOCK_READING)))),
            TracePacket.FRAME_TIMELINE_EVENT,
                    Shape.of(Map.of(
                            FrameTimelineEvent.EXPECTED_DISPLAY_FRAME_START, FRAME,
                            FrameTimelineEvent.ACTUAL_DISPLAY_FRAME_START, FRAME,
                            FrameTimelineEvent.EXPECTED_SURFACE_FRAME_START, FRAME,
                            FrameTimelineEvent.ACTUAL_SURFACE_FRAME_START, FRAME,
                            FrameTimelineEvent.FRAME_END, FRAME))));

    private final byte[] source;
    private final ProtoWriter packet = new ProtoWriter();

    /** The default clock of each sequence, and the unit of each clock that a sequence defines. */
    private final Map<Long, Long> defaultClocks = new HashMap<>();

    private final Map<ClockKey, Long> customClockUnits = new HashMap<>();

    private final Range kernelTimes = new Range();
    private final Range packetTimes = new Range();
    private long lastCookie;
    private long timeShift;
    private long cookieShift;
    private long packetUnit;
    private long clockUnit;

    /** The range of times. */
    private static final class Range {
        private long first = Long.MAX_VALUE;
        private long last = Long.MIN_VALUE;

        void add(long time) {
            first = Math.min(first, time);
            last = Math.max(last, time);
        }

        boolean isEmpty() {
            return last < first;
        }
    }

    private record ClockKey(long sequence, long clock) {}

    TraceRepeater(byte[] source) throws IOException {
        this.source = inflated(source);
    }

    /**
     * Repeats a trace up to a given size.
     *
     * @return the size of the result in bytes
     */
    public static long repeat(byte[] source, long targetBytes, OutputStream out) throws IOException {
        TraceRepeater repeater = new TraceRepeater(source);
        long period = repeater.duration() + GAP_NS;
        long cookies = repeater.lastCookie + 1;
        ProtoWriter framed = new ProtoWriter();
        long written = 0;
        while (written < targetBytes) {
            ProtoReader packets = repeater.packets();
            while (written < targetBytes && packets.next()) {
                framed.clear();
                framed.message(Trace.PACKET, repeater.rewritten(packets));
                framed.writeTo(out);
                written += framed.size();
            }
            repeater.timeShift += period;
            repeater.cookieShift += cookies;
        }
        return written;
    }

    /**
     * Determines the range of timestamps (of kernel events if there are any, otherwise of packets) and the range of
     * cookies.
     */
    private long duration() throws IOException {
        ProtoReader packets = packets();
        while (packets.next()) {
            rewritten(packets);
        }
        Range times = kernelTimes.isEmpty() ? packetTimes : kernelTimes;
        if (times.isEmpty()) {
            throw new UnusableTraceException("a trace without times cannot be repeated");
        }
        return times.last - times.first;
    }

    /** The packets of the source, one after another. */
    ProtoReader packets() {
        return new ProtoReader().reset(source, 0, source.length);
    }

    /** Sets the shift. */
    void shiftBy(long shiftNs) {
        timeShift = shiftNs;
    }

    /** The current packet, shifted; valid until the next. */
    ProtoWriter rewritten(ProtoReader packets) throws IOException {
        packet.clear();
        prepare(message(packets));
        rewrite(message(packets), PACKET, packet);
        return packet;
    }

    /** A reader of the message in a field; empty if the field is not a message. */
    private static ProtoReader message(ProtoReader field) {
        return new ProtoReader().resetToField(field);
    }

    /** Determines the clock of the packet's timestamp, before the timestamp is rewritten. */
    private void prepare(ProtoReader fields) {
        long sequence = 0;
        long clock = -1;
        long defaultClock = -1;
        @Nullable ProtoReader snapshot = null;
        while (fields.next()) {
            switch (fields.field()) {
                case TracePacket.TRUSTED_PACKET_SEQUENCE_ID -> sequence = fields.value();
                case TracePacket.TIMESTAMP_CLOCK_ID -> clock = fields.value();
                case TracePacket.CLOCK_SNAPSHOT -> snapshot = message(fields);
                case TracePacket.TRACE_PACKET_DEFAULTS -> {
                    ProtoReader defaults = message(fields);
                    while (defaults.next()) {
                        if (defaults.field() == TracePacketDefaults.TIMESTAMP_CLOCK_ID) {
                            defaultClock = defaults.value();
                        }
                    }
                }
                default -> {}
            }
        }
        if (snapshot != null) {
            learnCustomClocks(sequence, snapshot);
        }
        if (defaultClock >= 0) {
            defaultClocks.put(sequence, defaultClock);
        }
        if (clock < 0) {
            clock = defaultClocks.getOrDefault(sequence, 0L);
        }
        packetUnit = clock < FIRST_CUSTOM_CLOCK ? 1 : customClockUnits.getOrDefault(new ClockKey(sequence, clock), 1L);
    }

    private void learnCustomClocks(long sequence, ProtoReader snapshot) {
        while (snapshot.next()) {
            if (snapshot.field() == ClockSnapshot.CLOCKS) {
                ClockReading reading = ClockReading.of(message(snapshot));
                if (reading.clock >= FIRST_CUSTOM_CLOCK) {
                    long unit = reading.incremental ? 0 : reading.unit;
                    customClockUnits.put(new ClockKey(sequence, reading.clock), unit);
                }
            }
        }
    }

    private record ClockReading(long clock, boolean incremental, long unit) {
        static ClockReading of(ProtoReader fields) {
            long clock = 0;
            boolean incremental = false;
            long unit = 1;
            while (fields.next()) {
                switch (fields.field()) {
                    case Clock.CLOCK_ID -> clock = fields.value();
                    case Clock.IS_INCREMENTAL -> incremental = fields.value() != 0;
                    case Clock.UNIT_MULTIPLIER_NS -> unit = Math.max(1, fields.value());
                    default -> {}
                }
            }
            return new ClockReading(clock, incremental, unit);
        }
    }

    private void rewrite(ProtoReader fields, Shape shape, ProtoWriter out) throws IOException {
        int start = fields.to();
        while (fields.next()) {
            Rule rule = shape.rule(fields.field());
            switch (rule) {
                case null -> out.raw(source, start, fields.to() - start);
                case Shape inner -> {
                    if (inner.rule(Clock.TIMESTAMP) == Move.CLOCK_READING) {
                        clockUnit = ClockReading.of(message(fields)).unit;
                    }
                    int mark = out.begin(fields.field());
                    rewrite(message(fields), inner, out);
                    out.end(mark);
                }
                case Move.EVENT_TIME -> out.varint(fields.field(), movedEvent(fields.value()));
                case Move.EVENT_TIMES -> rewriteEventTimes(fields, out);
                case Move.TIME -> out.varint(fields.field(), fields.value() == 0 ? 0 : fields.value() + timeShift);
                case Move.CLOCK_READING -> out.varint(fields.field(), fields.value() + timeShift / clockUnit);
                case Move.PACKET_TIME -> out.varint(fields.field(), movedPacket(fields.value()));
                case Move.COOKIE -> {
                    lastCookie = Math.max(lastCookie, fields.value());
                    out.varint(fields.field(), fields.value() + cookieShift);
                }
            }
            start = fields.to();
        }
        if (fields.isDamaged()) {
            throw new UnusableTraceException(DAMAGED);
        }
    }

    private void rewriteEventTimes(ProtoReader field, ProtoWriter out) {
        PackedNumbers times = new PackedNumbers();
        times.read(field);
        int mark = out.begin(field.field());
        if (times.size() > 0) {
            long time = times.get(0);
            out.rawVarint(movedEvent(time));
            for (int row = 1; row < times.size(); row++) {
                out.rawVarint(times.get(row));
                time += times.get(row);
            }
            kernelTimes.add(time);
        }
        out.end(mark);
    }

    private long movedEvent(long time) {
        kernelTimes.add(time);
        return time + timeShift;
    }

    private long movedPacket(long time) {
        if (packetUnit == 0 || time == 0) {
            return time; // the difference to the previous packet, or none
        }
        packetTimes.add(time * packetUnit);
        return time + timeShift / packetUnit;
    }

    /** The packets, decompressed. */
    private static byte[] inflated(byte[] trace) throws IOException {
        ByteArrayOutputStream plain = new ByteArrayOutputStream(trace.length);
        ProtoReader packets = new ProtoReader().reset(trace, 0, trace.length);
        int start = 0;
        while (packets.next()) {
            if (packets.field() != Trace.PACKET) {
                throw new UnusableTraceException(DAMAGED);
            }
            boolean compressed = false;
            ProtoReader fields = message(packets);
            while (fields.next()) {
                if (fields.field() == TracePacket.COMPRESSED_PACKETS) {
                    compressed = true;
                    var zlib = new ByteArrayInputStream(trace, fields.from(), fields.length());
                    try (InflaterInputStream in = new InflaterInputStream(zlib)) {
                        in.transferTo(plain);
                    }
                }
            }
            if (!compressed) {
                plain.write(trace, start, packets.to() - start);
            }
            start = packets.to();
        }
        if (packets.isDamaged()) {
            throw new UnusableTraceException(DAMAGED);
        }
        return plain.toByteArray();
    }
}
