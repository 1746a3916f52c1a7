package dev.unjank.trace.processor;

import static dev.unjank.trace.processor.ProcessorTable.NULL;

import dev.unjank.trace.collections.StringPool;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Tracks of asynchronous slices. Slices of one set that overlap lie on different tracks: a slice goes to the first track that
 * is free, and its end to the track that has its cookie.
 */
final class AsyncTracks {
    private final TrackRows tracks;
    private final Map<Key, TrackSet> sets = new HashMap<>();

    AsyncTracks(TrackRows tracks) {
        this.tracks = tracks;
    }

    private record Key(String type, List<ArgSets.Arg> dimensions) {}

    /** A track of a set: how many slices with its cookie are open, or when its last complete slice ends. */
    private static final class State {
        final int track;
        long cookie;
        int open;
        long end = Long.MIN_VALUE;

        State(int track) {
            this.track = track;
        }
    }

    /** Tracks that differ only in their index. */
    static final class TrackSet {
        private final String type;
        private final ArgList dimensions;
        private final int name;
        private final long group;
        private final @Nullable ArgList source;
        private final long parent;
        private final List<State> states = new ArrayList<>();

        private TrackSet(String type, ArgList dimensions, int name, long group, @Nullable ArgList source, long parent) {
            this.type = type;
            this.dimensions = dimensions;
            this.name = name;
            this.group = group;
            this.source = source;
            this.parent = parent;
        }
    }

    TrackSet set(String type, ArgList dimensions, int name) {
        return set(type, dimensions, name, null, NULL);
    }

    TrackSet set(String type, ArgList dimensions, int name, @Nullable ArgList source, long parent) {
        Key key = new Key(type, dimensions.args());
        TrackSet known = sets.get(key);
        if (known == null) {
            known = new TrackSet(type, dimensions, name, sets.size(), source, parent);
            sets.put(new Key(type, List.copyOf(dimensions.args())), known);
        }
        return known;
    }

    int begin(TrackSet set, long cookie, boolean nestable, StringPool strings) {
        State state = ofCookie(set, cookie, strings);
        state.cookie = cookie;
        state.open = nestable ? state.open + 1 : 1;
        return state.track;
    }

    int end(TrackSet set, long cookie, StringPool strings) {
        State state = ofCookie(set, cookie, strings);
        state.cookie = cookie;
        state.open = Math.max(0, state.open - 1);
        return state.track;
    }

    int complete(TrackSet set, long ts, long dur, StringPool strings) {
        for (State state : set.states) {
            if (state.end != Long.MIN_VALUE && state.end <= ts) {
                state.end = ts + dur;
                return state.track;
            }
        }
        State state = add(set, strings);
        state.end = ts + dur;
        return state.track;
    }

    /** The first track of a set. */
    int first(TrackSet set, StringPool strings) {
        return set.states.isEmpty() ? add(set, strings).track : set.states.getFirst().track;
    }

    private State ofCookie(TrackSet set, long cookie, StringPool strings) {
        State free = null;
        for (State state : set.states) {
            if (state.end == Long.MIN_VALUE) {
                if (state.open > 0 && state.cookie == cookie) {
                    return state;
                } else if (state.open == 0 && free == null) {
                    free = state;
                }
            }
        }
        return free == null ? add(set, strings) : free;
    }

    private State add(TrackSet set, StringPool strings) {
        ArgList dimensions = new ArgList(strings);
        dimensions.args().addAll(set.dimensions.args());
        dimensions.integer("track_compressor_idx", set.states.size());
        int track = tracks.create(
                set.type,
                dimensions,
                new TrackRows.Details(TrackRows.Kind.SLICES, set.name, null, set.group, set.source));
        tracks.table.set(track, TrackRows.PARENT, set.parent);
        State state = new State(track);
        set.states.add(state);
        return state;
    }
}
