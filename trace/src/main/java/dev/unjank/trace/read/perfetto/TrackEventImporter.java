package dev.unjank.trace.read.perfetto;

import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.proto.ProtoReader;
import dev.unjank.trace.proto.TrackEventFields.AndroidMessageQueue;
import dev.unjank.trace.proto.TrackEventFields.TrackEvent;
import dev.unjank.trace.read.common.SkippedRecords;
import dev.unjank.trace.read.common.UnreadableRecords;

/**
 * Imports track events, written by programs with Perfetto's library: slices and marks with their categories, flows,
 * messages and annotations, and counter values. Other arguments are skipped.
 */
final class TrackEventImporter {
    /** Further flows of an event, in damaged traces, are dropped. */
    private static final int MAX_FLOWS = 16;

    private final TraceBuilder builder;
    private final int nameless;
    private final SkippedRecords skipped;
    private final TrackDescriptors tracks;
    private final DebugAnnotationImporter annotations;
    private final LegacyEventImporter legacy;
    private final ProtoReader event = new ProtoReader();
    private final ProtoReader part = new ProtoReader();

    // The current event.
    private int type;
    private long uuid;
    private int name;
    private int category;
    private boolean hasValue;
    private long value;
    private final long[] flows = new long[MAX_FLOWS];
    private final boolean[] flowEnds = new boolean[MAX_FLOWS];
    private int flowCount;
    private final RepeatedNumbers extraValues = new RepeatedNumbers();
    private final RepeatedNumbers extraTracks = new RepeatedNumbers();
    private final RepeatedNumbers extraRealValues = new RepeatedNumbers();
    private final RepeatedNumbers extraRealTracks = new RepeatedNumbers();
    private boolean isLegacy;
    private boolean hasMessage;
    private int sender;
    private int receiver;
    private int code;
    private long delayMs;

    TrackEventImporter(TraceBuilder builder, SkippedRecords skipped) {
        this.builder = builder;
        this.nameless = builder.intern("");
        this.skipped = skipped;
        tracks = new TrackDescriptors(builder);
        annotations = new DebugAnnotationImporter(builder);
        legacy = new LegacyEventImporter(builder);
    }

    /** Imports the descriptor in a packet's current field. */
    void readDescriptor(ProtoReader packet, long ts, PacketSequence sequence) {
        tracks.read(packet, ts, sequence);
    }

    /** Imports the event in a packet's current field. */
    void readEvent(ProtoReader packet, long ts, PacketSequence sequence) {
        parse(packet, sequence);
        TrackDescriptors.Track track = tracks.track(uuid);
        extraCounters(ts, sequence);
        boolean forCounter = type == TrackEvent.COUNTER && hasValue;
        boolean forSlices = type >= TrackEvent.SLICE_BEGIN && type <= TrackEvent.INSTANT;
        if (isLegacy && type == 0 && !track.isCounter()) {
            int on = legacy.write(ts, track, category, name);
            if (on >= 0) {
                emitDetails(ts, on);
            } else {
                skipped.packet();
            }
        } else if (track.isCounter() ? !forCounter : !forSlices) {
            skipped.packet();
        } else if (forCounter) {
            counter(ts, track, uuid, value, sequence);
        } else {
            slice(ts, track.number());
        }
    }

    private void slice(long ts, int track) {
        switch (type) {
            case TrackEvent.SLICE_BEGIN -> builder.tracks().trackBegin(ts, track, category, name);
            case TrackEvent.SLICE_END -> builder.tracks().trackEnd(ts, track);
            default -> builder.tracks().trackInstant(ts, track, category, name);
        }
        emitDetails(ts, track);
    }

    /** Imports the extra counter values of an event. */
    private void extraCounters(long ts, PacketSequence sequence) {
        for (int i = 0; i < extraValues.size(); i++) {
            extraCounter(ts, i, extraTracks, sequence.extraCounters, extraValues.get(i), sequence);
        }
        for (int i = 0; i < extraRealValues.size(); i++) {
            long rounded = Math.round(Double.longBitsToDouble(extraRealValues.get(i)));
            extraCounter(ts, i, extraRealTracks, sequence.extraRealCounters, rounded, sequence);
        }
    }

    private void extraCounter(
            long ts, int index, RepeatedNumbers ofEvent, long[] ofSequence, long number, PacketSequence sequence) {
        long[] uuids = ofEvent.size() > 0 ? ofEvent.toArray() : ofSequence;
        if (index < uuids.length) {
            TrackDescriptors.Track track = tracks.track(uuids[index]);
            if (track.isCounter()) {
                counter(ts, track, uuids[index], number, sequence);
            }
        }
    }

    private void counter(long ts, TrackDescriptors.Track track, long ofUuid, long number, PacketSequence sequence) {
        long scaled = number * track.unitMultiplier();
        builder.tracks()
                .trackCounter(
                        ts, track.number(), track.isIncremental() ? sequence.addToCounter(ofUuid, scaled) : scaled);
    }

    /** Adds the details of the slice of the last call. */
    private void emitDetails(long ts, int track) {
        if (annotations.count > 0) {
            builder.tracks().trackArgs(ts, track, annotations.first, annotations.count);
        }
        for (int i = 0; i < flowCount; i++) {
            builder.tracks().trackFlow(ts, track, flows[i], flowEnds[i]);
        }
        if (hasMessage) {
            builder.tracks().trackMessage(ts, track, sender, receiver, code, delayMs);
        }
    }

    private void parse(ProtoReader packet, PacketSequence sequence) {
        type = 0;
        uuid = sequence.defaultTrack != 0 ? sequence.defaultTrack : sequence.threadTrack;
        name = -1;
        category = -1;
        hasValue = false;
        flowCount = 0;
        hasMessage = false;
        isLegacy = false;
        extraValues.clear();
        extraTracks.clear();
        extraRealValues.clear();
        extraRealTracks.clear();
        annotations.begin(sequence);
        event.resetToField(packet);
        while (event.next()) {
            switch (event.field()) {
                case TrackEvent.TYPE -> type = event.intValue();
                case TrackEvent.TRACK_UUID -> uuid = event.value();
                case TrackEvent.NAME -> name = text(event);
                case TrackEvent.NAME_IID -> name = sequence.eventNames.get(event.value());
                case TrackEvent.CATEGORIES -> category = category < 0 ? text(event) : category;
                case TrackEvent.CATEGORY_IIDS ->
                    category = category < 0 ? sequence.categories.get(event.value()) : category;
                case TrackEvent.COUNTER_VALUE -> value(event.value());
                case TrackEvent.DOUBLE_COUNTER_VALUE -> value(Math.round(Double.longBitsToDouble(event.value())));
                case TrackEvent.FLOW_IDS, TrackEvent.FLOW_IDS_OLD -> flow(false);
                case TrackEvent.TERMINATING_FLOW_IDS, TrackEvent.TERMINATING_FLOW_IDS_OLD -> flow(true);
                case TrackEvent.MESSAGE_QUEUE -> message();
                case TrackEvent.DEBUG_ANNOTATIONS -> annotations.read(event);
                case TrackEvent.LEGACY_EVENT -> {
                    isLegacy = true;
                    legacy.read(event);
                }
                case TrackEvent.EXTRA_COUNTER_VALUES -> extraValues.add(event);
                case TrackEvent.EXTRA_DOUBLE_COUNTER_VALUES -> extraRealValues.add(event);
                case TrackEvent.EXTRA_COUNTER_TRACK_UUIDS -> extraTracks.add(event);
                case TrackEvent.EXTRA_DOUBLE_COUNTER_TRACK_UUIDS -> extraRealTracks.add(event);
                default -> {}
            }
        }
        if (isLegacy && name < 0 && legacy.nameNumber != 0) {
            name = sequence.eventNames.get(legacy.nameNumber);
        }
        if (name < 0) {
            name = nameless;
        }
    }

    private void value(long number) {
        hasValue = true;
        value = number;
    }

    private void flow(boolean ends) {
        if (event.isBytes()) {
            return; // not packed in practice
        }
        if (flowCount == MAX_FLOWS) {
            skipped.omit(UnreadableRecords.Kind.FLOW);
            return;
        }
        flows[flowCount] = event.value();
        flowEnds[flowCount++] = ends;
    }

    private void message() {
        hasMessage = true;
        sender = -1;
        receiver = -1;
        code = 0;
        delayMs = -1;
        part.resetToField(event);
        while (part.next()) {
            switch (part.field()) {
                case AndroidMessageQueue.SENDING_THREAD_NAME -> sender = text(part);
                case AndroidMessageQueue.RECEIVING_THREAD_NAME -> receiver = text(part);
                case AndroidMessageQueue.MESSAGE_CODE -> code = part.intValue();
                case AndroidMessageQueue.MESSAGE_DELAY_MS -> delayMs = Math.max(-1, part.value());
                default -> {}
            }
        }
    }

    private int text(ProtoReader reader) {
        return builder.intern(reader.bytes(), reader.from(), reader.length());
    }
}
