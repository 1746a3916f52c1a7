package dev.unjank.trace.read.jfr;

import dev.unjank.trace.read.jfr.format.ChunkMetadata;
import dev.unjank.trace.read.jfr.format.EventBinding;
import dev.unjank.trace.read.jfr.format.FieldReader;
import dev.unjank.trace.read.jfr.format.JfrType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The types of events that are imported, with their handlers. */
final class EventBindings {
    /** The common fields, which come first, at {@link JvmRun#START} and so on. */
    private static final List<String> FIRST = List.of("startTime", "duration", "eventThread");

    private record Kind(String event, List<String> fields, Consumer<FieldReader> handler) {}

    private final List<Kind> kinds = new ArrayList<>();

    /** Adds a type of events. */
    void add(String event, Consumer<FieldReader> handler, String... fields) {
        List<String> all = new ArrayList<>(FIRST);
        all.addAll(List.of(fields));
        kinds.add(new Kind(event, List.copyOf(all), handler));
    }

    /** As {@link #add}, for events about a thread that was sampled from outside. */
    void addSampleType(String event, Consumer<FieldReader> handler, String... fields) {
        List<String> all =
                new ArrayList<>(List.of(FIRST.get(JvmRun.START), FIRST.get(JvmRun.DURATION), "sampledThread"));
        all.addAll(List.of(fields));
        kinds.add(new Kind(event, List.copyOf(all), handler));
    }

    /** Binds the types that a chunk's metadata contains, by their ids in the chunk. */
    Bindings bind(ChunkMetadata metadata) {
        Bindings bindings = new Bindings();
        for (Kind kind : kinds) {
            JfrType type = metadata.type(kind.event);
            if (type != null) {
                bindings.put(type.id(), new EventBinding(type, kind.fields, kind.handler));
            }
        }
        return bindings;
    }

    /** The types of a chunk by id. Ids are usually small. */
    static final class Bindings {
        private static final int SMALL = 4096;

        private final @Nullable EventBinding[] small = new @Nullable EventBinding[SMALL];
        private final Map<Long, EventBinding> others = new HashMap<>();

        private void put(long type, EventBinding binding) {
            if (type >= 0 && type < SMALL) {
                small[(int) type] = binding;
            } else {
                others.put(type, binding);
            }
        }

        @Nullable
        EventBinding get(long type) {
            return type >= 0 && type < SMALL ? small[(int) type] : others.get(type);
        }
    }
}
