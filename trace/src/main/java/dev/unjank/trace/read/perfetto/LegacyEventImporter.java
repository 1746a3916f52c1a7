package dev.unjank.trace.read.perfetto;

import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.proto.ProtoReader;
import dev.unjank.trace.proto.TrackEventFields.LegacyEvent;
import java.util.HashMap;
import java.util.Map;

/**
 * Reads the part of a track event that programs of the time before tracks still write: a letter for what it is, and for
 * asynchronous work a number that ties its events together. Such work gets a track for each scope and number.
 */
final class LegacyEventImporter {
    /** Beyond this many tracks a trace is broken; further work shares one. */
    private static final int MAX_TRACKS = 1 << 20;

    private final TraceBuilder builder;
    private final ProtoReader event = new ProtoReader();
    private final Map<Key, Integer> tracks = new HashMap<>();

    // The event being read.
    private int phase;
    private long nameNumber;
    private long durationNs;
    private long id;
    private boolean hasId;
    private boolean isLocal;
    private int scope;

    private record Key(int pid, int scope, long id) {}

    LegacyEventImporter(TraceBuilder builder) {
        this.builder = builder;
    }

    /** Takes what stands in an event's current field. */
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

    /** The interned name's number, 0 for none. */
    long nameNumber() {
        return nameNumber;
    }

    /**
     * Writes the event down.
     *
     * @param category its category, -1 for none
     * @return the number of the track that it is on, -1 if nobody wants it
     */
    int write(long ts, TrackDescriptors.Track track, int category, int name) {
        int on = isAsync() ? trackOf(track, category) : track.number();
        switch (phase) {
            case 'B', 'b', 'S' -> builder.trackBegin(ts, on, category, name);
            case 'E', 'e', 'F' -> builder.trackEnd(ts, on);
            case 'I', 'i', 'n' -> builder.trackInstant(ts, on, category, name);
            case 'X' -> {
                builder.trackBegin(ts, on, category, name);
                builder.trackEnd(ts + Math.max(0, durationNs), on);
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
        int made = builder.newTrack(-1, track.pid());
        if (tracks.size() < MAX_TRACKS) {
            tracks.put(key, made);
        }
        return made;
    }
}
