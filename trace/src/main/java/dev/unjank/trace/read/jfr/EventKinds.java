package dev.unjank.trace.read.jfr;

import dev.unjank.trace.read.jfr.Binding.Handler;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The kinds of events that something becomes of. */
final class EventKinds {
    /** The fields in front of all others, at {@link Recording#START} and so on. */
    private static final List<String> FIRST = List.of("startTime", "duration", "eventThread");

    private record Kind(String event, List<String> fields, Handler handler) {}

    private final List<Kind> kinds = new ArrayList<>();

    /**
     * Adds a kind.
     *
     * @param event its name
     * @param handler who gets its events
     * @param fields what it reads behind time, duration and thread
     */
    void add(String event, Handler handler, String... fields) {
        List<String> all = new ArrayList<>(FIRST);
        all.addAll(List.of(fields));
        kinds.add(new Kind(event, List.copyOf(all), handler));
    }

    /** As {@link #add}, for events about a thread that was sampled from outside. */
    void addSampled(String event, Handler handler, String... fields) {
        List<String> all = new ArrayList<>(List.of(FIRST.get(Recording.START), FIRST.get(Recording.DURATION), "sampledThread"));
        all.addAll(List.of(fields));
        kinds.add(new Kind(event, List.copyOf(all), handler));
    }

    /** The kinds that a chunk's metadata knows, by the number that they have in the chunk. */
    Map<Long, Binding> bind(Metadata metadata) {
        Map<Long, Binding> bound = new HashMap<>();
        for (Kind kind : kinds) {
            Type type = metadata.type(kind.event);
            if (type != null) {
                bound.put(type.id(), new Binding(type, kind.fields, kind.handler));
            }
        }
        return bound;
    }
}
