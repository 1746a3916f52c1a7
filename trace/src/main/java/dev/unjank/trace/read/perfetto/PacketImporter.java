package dev.unjank.trace.read.perfetto;

import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.model.DataLoss;
import dev.unjank.trace.proto.PacketFields.AndroidLogPacket;
import dev.unjank.trace.proto.PacketFields.BuiltinClock;
import dev.unjank.trace.proto.PacketFields.InternedData;
import dev.unjank.trace.proto.PacketFields.InternedString;
import dev.unjank.trace.proto.PacketFields.LogEvent;
import dev.unjank.trace.proto.PacketFields.TracePacket;
import dev.unjank.trace.proto.PacketFields.TracePacketDefaults;
import dev.unjank.trace.proto.ProtoReader;
import dev.unjank.trace.proto.TrackEventFields.TrackEventDefaults;
import dev.unjank.trace.read.common.ClockConverter;
import dev.unjank.trace.read.common.SkippedRecords;
import dev.unjank.trace.read.common.UnreadableRecords;
import dev.unjank.trace.read.perfetto.ftrace.KernelSymbols;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Imports packets in order: determines the time and the sequence of each and passes its content to the importer of
 * its kind.
 */
final class PacketImporter {
    private static final int MAX_SEQUENCES = 1 << 16;

    private final TraceBuilder builder;
    final SkippedRecords skipped = new SkippedRecords();
    /** The clocks of the packets so far. */
    final ClockConverter clocks = new ClockConverter();

    private final ClockSnapshotImporter clockSnapshots = new ClockSnapshotImporter(clocks);
    private final ProcessTreeImporter processTree;
    private final FrameTimelineImporter frameTimeline;
    private final TrackEventImporter trackEvents;
    private final PerfSampleImporter perfSamples;
    private final PolledCounterImporter polled;
    private final MachineImporter machine;
    private final RecorderImporter recorder;
    private final Map<Integer, PacketSequence> sequences = new HashMap<>();

    /** The sequence of the previous packet: usually the next packet has the same. */
    private @Nullable PacketSequence recent;

    private final DeferredPackets early = new DeferredPackets();
    private boolean ended;
    private long latest;
    /** The number of well-formed packets. */
    long goodPackets;
    /** The number of packets of known sequences that were lost before they were written. */
    long lostPackets;

    /** A reader of the current packet, at its content. */
    final ProtoReader packet = new ProtoReader();

    private final ProtoReader message = new ProtoReader();
    private final ProtoReader part = new ProtoReader();

    /** The header of the current packet. */
    private PacketHeader frame = new PacketHeader();

    /** Whether packets of its sequence were lost before it. */
    boolean isAfterDrop;

    /** The kernel symbols for the bundle of kernel events at {@link #packet}. */
    KernelSymbols symbols = new KernelSymbols();

    PacketImporter(TraceBuilder builder) {
        this.builder = builder;
        processTree = new ProcessTreeImporter(builder);
        frameTimeline = new FrameTimelineImporter(builder);
        trackEvents = new TrackEventImporter(builder, skipped);
        polled = new PolledCounterImporter(builder);
        machine = new MachineImporter(builder, skipped);
        recorder = new RecorderImporter(builder);
        perfSamples = new PerfSampleImporter(builder, skipped);
    }

    /** Imports a packet and returns the same as {@link #read(PacketHeader, byte[], int, int)}. */
    int read(byte[] bytes, int from, int to) {
        PacketHeader its = new PacketHeader();
        its.read(bytes, from, to);
        return read(its, bytes, from, to);
    }

    /**
     * Imports a packet and returns the field number of its content if the caller must import it, at {@link #packet}:
     * compressed packets and bundles of kernel events; otherwise 0.
     */
    int read(PacketHeader its, byte[] bytes, int from, int to) {
        frame = its;
        isAfterDrop = false;
        if (frame.isMalformed()) {
            skipped.omit(UnreadableRecords.Kind.PACKET);
            return 0;
        }
        if (mustDefer() && early.defer(frame.sequenceId, bytes, from, to)) {
            return 0;
        }
        goodPackets++;
        PacketSequence sequence = sequence();
        if (frame.hasState()) {
            readState(bytes, from, to, sequence);
        }
        packet.reset(bytes, frame.contentAt, to);
        if (frame.content == TracePacket.COMPRESSED_PACKETS) {
            packet.next();
            return frame.content;
        }
        if ((frame.sequenceFlags & TracePacket.SEQ_NEEDS_INCREMENTAL_STATE) != 0 && !sequence.valid) {
            skipped.omit(UnreadableRecords.Kind.ORPHAN);
            return 0;
        }
        packet.next();
        int left = dispatch(sequence);
        if (frame.content == TracePacket.CLOCK_SNAPSHOT && !early.isEmpty()) {
            readDeferred();
        }
        return left;
    }

    /** Imports the deferred packets; some may be deferred again. */
    private void readDeferred() {
        for (byte[] held : early.release()) {
            read(held, 0, held.length);
        }
    }

    /** Ends the import: packets that still lack a clock are imported without it. */
    void finish() {
        ended = true;
        readDeferred();
        recorder.finish();
    }

    /**
     * Whether a packet, or an earlier one of its sequence, has a clock of the machine that no snapshot contains yet.
     */
    private boolean mustDefer() {
        if (ended
                || frame.content == TracePacket.CLOCK_SNAPSHOT
                || frame.content == TracePacket.FTRACE_EVENTS
                || frame.content == TracePacket.COMPRESSED_PACKETS) {
            return false;
        } else if (early.isDeferred(frame.sequenceId)) {
            return true;
        } else if (frame.timestamp == PacketHeader.NO_TIME) {
            return false;
        }
        PacketSequence known = knownSequence();
        int id = frame.clockId != 0 || known == null ? frame.clockId : known.defaultClock;
        return id != 0
                && id < ClockConverter.FIRST_SEQUENCE_CLOCK
                && id != ClockConverter.BOOTTIME
                && !clocks.isConvertible(clocks.clock(id, 0));
    }

    /** The packet sequence of the current packet. */
    int sequenceId() {
        return frame.sequenceId;
    }

    private void readState(byte[] bytes, int from, int to, PacketSequence sequence) {
        packet.reset(bytes, from, to);
        while (packet.next()) {
            switch (packet.field()) {
                case TracePacket.INTERNED_DATA -> internedData(sequence);
                case TracePacket.TRACE_PACKET_DEFAULTS -> defaults(sequence);
                default -> {}
            }
        }
    }

    /** The packet's sequence, null if this is its first packet. */
    private @Nullable PacketSequence knownSequence() {
        if (recent == null || recent.id != frame.sequenceId) {
            recent = sequences.get(frame.sequenceId);
        }
        return recent;
    }

    private PacketSequence sequence() {
        PacketSequence sequence = knownSequence();
        if (sequence == null) {
            sequence = new PacketSequence(frame.sequenceId);
            if (sequences.size() < MAX_SEQUENCES) {
                sequences.put(frame.sequenceId, sequence);
            }
        } else if (frame.packetsDropped()) {
            // On a sequence's first packet the flag only marks it as the first.
            lostPackets++;
            isAfterDrop = true;
            sequence.packetsLost();
        }
        if ((frame.sequenceFlags & TracePacket.SEQ_INCREMENTAL_STATE_CLEARED) != 0) {
            sequence.clear();
        }
        return sequence;
    }

    private int dispatch(PacketSequence sequence) {
        switch (frame.content) {
            case 0 -> {}
            case TracePacket.FTRACE_EVENTS -> {
                symbols = sequence.kernelSymbols;
                return frame.content;
            }
            case TracePacket.CLOCK_SNAPSHOT -> clockSnapshots.read(packet, frame.sequenceId);
            case TracePacket.SYSTEM_INFO -> machine.readSystem(packet);
            case TracePacket.PACKAGES_LIST -> machine.readPackages(packet);
            case TracePacket.PROCESS_TREE -> processTree.read(packet, time(sequence));
            case TracePacket.TRACK_DESCRIPTOR -> trackEvents.readDescriptor(packet, time(sequence), sequence);
            case TracePacket.FRAME_TIMELINE_EVENT,
                    TracePacket.TRACK_EVENT,
                    TracePacket.PERF_SAMPLE,
                    TracePacket.PROCESS_STATS,
                    TracePacket.SYS_STATS,
                    TracePacket.INITIAL_DISPLAY_STATE,
                    TracePacket.ANDROID_SYSTEM_PROPERTY -> timed(sequence);
            case TracePacket.ANDROID_LOG -> {
                passOver(sequence);
                androidLog();
            }
            default -> {
                passOver(sequence);
                recorder.read(frame.content, packet, latest);
            }
        }
        return 0;
    }

    /** Imports a packet that is worthless without its time. */
    private void timed(PacketSequence sequence) {
        long ts = time(sequence);
        if (ts == ClockConverter.UNKNOWN) {
            return;
        }
        switch (frame.content) {
            case TracePacket.FRAME_TIMELINE_EVENT -> frameTimeline.read(packet, ts);
            case TracePacket.TRACK_EVENT -> trackEvents.readEvent(packet, ts, sequence);
            case TracePacket.PERF_SAMPLE -> perfSamples.read(packet, ts, sequence);
            default -> {
                builder.unmodeledEvent(ts);
                polled.read(frame.content, packet, ts);
            }
        }
    }

    private void passOver(PacketSequence sequence) {
        long ts = time(sequence); // always computed: an incremental clock advances with every packet
        if (frame.timestamp != PacketHeader.NO_TIME && ts != ClockConverter.UNKNOWN) {
            builder.unmodeledEvent(ts);
        }
        skipped.packet();
    }

    /** Imports the times of Android's log lines, which use the wall clock; the rest is not modeled. */
    private void androidLog() {
        ClockConverter.Clock wallClock = clocks.clock(BuiltinClock.REALTIME, 0);
        message.resetToField(packet);
        while (message.next()) {
            if (message.field() == AndroidLogPacket.EVENTS) {
                part.resetToField(message);
                while (part.next()) {
                    if (part.field() == LogEvent.TIMESTAMP) {
                        builder.logLine(clocks.toTrace(wallClock, part.value()));
                    }
                }
            }
        }
    }

    /** The packet's time on the trace's clock; that of the previous packet if it has none. */
    private long time(PacketSequence sequence) {
        if (frame.timestamp == PacketHeader.NO_TIME) {
            return latest;
        }
        int id = frame.clockId != 0 ? frame.clockId : sequence.defaultClock;
        long ts = clocks.toTrace(clocks.clock(id == 0 ? ClockConverter.BOOTTIME : id, sequence.id), frame.timestamp);
        if (ts == ClockConverter.UNKNOWN) {
            skipped.omit(UnreadableRecords.Kind.PACKET_OF_CLOCK);
        } else {
            latest = ts;
            if (isAfterDrop) {
                builder.addDataLoss(DataLoss.ANY_CPU, sequence.lastNs, ts);
            }
            sequence.lastNs = ts;
        }
        return ts;
    }

    private void internedData(PacketSequence sequence) {
        message.resetToField(packet);
        while (message.next()) {
            int field = message.field();
            if (InternedCallstacks.isOfStacks(field)) {
                sequence.stacks.intern(message, builder);
                continue;
            }
            if (field != InternedData.EVENT_NAMES
                    && field != InternedData.EVENT_CATEGORIES
                    && field != InternedData.DEBUG_ANNOTATION_NAMES
                    && field != InternedData.DEBUG_ANNOTATION_STRING_VALUES
                    && field != InternedData.KERNEL_SYMBOLS) {
                continue;
            }
            long number = 0;
            int from = 0;
            int to = 0;
            part.resetToField(message);
            while (part.next()) {
                switch (part.field()) {
                    case InternedString.IID -> number = part.value();
                    case InternedString.STR -> {
                        from = part.from();
                        to = part.to();
                    }
                    default -> {}
                }
            }
            switch (field) {
                case InternedData.EVENT_NAMES ->
                    sequence.eventNames.put(number, builder.intern(part.bytes(), from, to - from));
                case InternedData.EVENT_CATEGORIES ->
                    sequence.categories.put(number, builder.intern(part.bytes(), from, to - from));
                case InternedData.DEBUG_ANNOTATION_NAMES ->
                    sequence.annotationName(number, new String(part.bytes(), from, to - from, StandardCharsets.UTF_8));
                case InternedData.DEBUG_ANNOTATION_STRING_VALUES ->
                    sequence.annotationTexts.put(number, builder.intern(part.bytes(), from, to - from));
                default -> sequence.kernelSymbols.add(number, part.bytes(), from, to);
            }
        }
    }

    private void defaults(PacketSequence sequence) {
        int clock = 0;
        long track = 0;
        message.resetToField(packet);
        while (message.next()) {
            switch (message.field()) {
                case TracePacketDefaults.TIMESTAMP_CLOCK_ID -> clock = message.intValue();
                case TracePacketDefaults.TRACK_EVENT_DEFAULTS -> {
                    track = trackEventDefaults(sequence);
                }
                default -> {}
            }
        }
        sequence.defaults(clock, track);
    }

    private long trackEventDefaults(PacketSequence sequence) {
        long track = 0;
        RepeatedNumbers whole = new RepeatedNumbers();
        RepeatedNumbers real = new RepeatedNumbers();
        part.resetToField(message);
        while (part.next()) {
            switch (part.field()) {
                case TrackEventDefaults.TRACK_UUID -> track = part.value();
                case TrackEventDefaults.EXTRA_COUNTER_TRACK_UUIDS -> whole.add(part);
                case TrackEventDefaults.EXTRA_DOUBLE_COUNTER_TRACK_UUIDS -> real.add(part);
                default -> {}
            }
        }
        sequence.extraCounters(whole.toArray(), real.toArray());
        return track;
    }
}
