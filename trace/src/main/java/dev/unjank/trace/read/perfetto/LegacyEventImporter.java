package dev.unjank.trace.read.perfetto;

import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.proto.ProtoReader;
import dev.unjank.trace.proto.TrackEventFields.LegacyEvent;
import java.util.HashMap;
import java.util.Map;

/**
 * Imports the legacy part of track events, which programs from before tracks still write: a letter for the kind of
 * event, and for asynchronous slices a number that connects its events. Such slices get a track for each scope and
 * number.
 */
final class LegacyEventImporter {
    /** The limit of tracks, for damaged traces; further slices share one. */
    private static final int MAX_TRACKS = 1 << 20;

    private final TraceBuilder builder;
    private final ProtoReader event = new ProtoReader();
    private final Map<Key, Integer> tracks = new HashMap<>();

    // The current event.
    private int phase;
    /** The interned name's number, 0 for none. */
    long nameNumber;

    private long durationNs;
    private long id;
    private boolean hasId;
    private boolean isLocal;
    private int scope;

    private record Key(int pid, int scope, long id) {}

    LegacyEventImporter(TraceBuilder builder) {
        this.builder = builder;
    }

    /** Reads the legacy event in an event's current field. */
    void read(ProtoReader outer) {
        phase = 0;
        nameNumber = 0;
        durationNs = 0;
        hasId = false;
        isLocal = false;
        scope = -1;
        event.resetToField(outer);
        while (event.next()) {
            switch (event.field()) {
                case LegacyEvent.NAME_IID -> nameNumber = event.value();
                case LegacyEvent.PHASE -> phase = event.intValue();
                case LegacyEvent.DURATION_US -> durationNs = event.value() * 1000;
                case LegacyEvent.UNSCOPED_ID, LegacyEvent.GLOBAL_ID -> id(false);
                case LegacyEvent.LOCAL_ID -> id(true);
                case LegacyEvent.ID_SCOPE -> scope = builder.intern(event.bytes(), event.from(), event.length());
                default -> {}
            }
        }
    }

    private void id(boolean local) {
        hasId = true;
        isLocal = local;
        id = event.value();
    }

    /**
     * Adds the event to the builder and returns the number of its track, -1 if the event is of an unsupported kind. Its
     * category is -1 for none.
     */
    int write(long ts, TrackDescriptors.Track track, int category, int name) {
        int on = isAsync() ? trackOf(track, category) : track.number();
        switch (phase) {
            case 'B', 'b', 'S' -> builder.tracks().trackBegin(ts, on, category, name);
            case 'E', 'e', 'F' -> builder.tracks().trackEnd(ts, on);
            case 'I', 'i', 'n' -> builder.tracks().trackInstant(ts, on, category, name);
            case 'X' -> {
                builder.tracks().trackBegin(ts, on, category, name);
                builder.tracks().trackEnd(ts + Math.max(0, durationNs), on);
            }
            default -> {
                return -1;
            }
        }
        return on;
    }

    private boolean isAsync() {
        return hasId && (phase == 'b' || phase == 'e' || phase == 'n' || phase == 'S' || phase == 'F');
    }

    private int trackOf(TrackDescriptors.Track track, int category) {
        Key key = new Key(isLocal ? track.pid() : -1, scope >= 0 ? scope : category, id);
        Integer known = tracks.get(key);
        if (known != null) {
            return known;
        }
        int made = builder.tracks().newTrack(-1, track.pid());
        if (tracks.size() < MAX_TRACKS) {
            tracks.put(key, made);
        }
        return made;
    }
}
