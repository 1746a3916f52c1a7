package dev.unjank.query.conformance;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A one-to-one mapping of trace processor's ids to ours, by kind of id. Both number rows differently; an id may stand
 * for only one id of the other side in all tables of a trace.
 */
final class IdMapping {
    private static final Set<String> SLICES = Set.of(
            "slice",
            "slices",
            "thread_slice",
            "process_slice",
            "thread_or_process_slice",
            "frame_slice",
            "gpu_slice",
            "expected_frame_timeline_slice",
            "actual_frame_timeline_slice",
            "slice_self_dur",
            "slice_with_stack_id",
            "thread_slice_cpu_time",
            "thread_slice_cpu_cycles",
            "cpu_cycles_per_thread_slice",
            "thread_slice_time_in_state");
    private static final Set<String> SLICE_COLUMNS =
            Set.of("slice_id", "slice_out", "slice_in", "binder_txn_id", "binder_reply_id");

    private final Map<String, Map<String, String>> ours = new HashMap<>();
    private final Map<String, Map<String, String>> theirs = new HashMap<>();

    /** The kind of ids in a column of an object, null for a column of values. */
    static @Nullable String kind(String object, String column) {
        String name = object.substring(object.lastIndexOf('.') + 1);
        if (column.equals("id") || column.equals("parent_id")) {
            return SLICES.contains(name) ? "slice" : name.endsWith("track") ? "track" : rowKind(name);
        }
        if (column.endsWith("utid")) {
            return "thread";
        } else if (column.endsWith("upid")) {
            return "process";
        } else if (column.endsWith("track_id")) {
            return "track";
        } else if (column.endsWith("arg_set_id")) {
            return "args";
        } else if (column.endsWith("stack_id")) {
            return "stack";
        } else if (column.equals("waker_id") || column.endsWith("thread_state_id")) {
            return "thread_state";
        } else if (column.equals("sched_id")) {
            return "sched";
        }
        return SLICE_COLUMNS.contains(column) || column.endsWith("_slice_id") ? "slice" : null;
    }

    private static String rowKind(String name) {
        return switch (name) {
            case "sched_slice", "sched_with_thread_process" -> "sched";
            case "counters" -> "counter";
            default -> name;
        };
    }

    /** Whether both ids may be equal: they are already mapped to each other, or neither is mapped. */
    boolean allows(String kind, String their, String our) {
        String known = ours.computeIfAbsent(kind, _ -> new HashMap<>()).get(their);
        return known == null
                ? !theirs.computeIfAbsent(kind, _ -> new HashMap<>()).containsKey(our)
                : known.equals(our);
    }

    void add(String kind, String their, String our) {
        ours.computeIfAbsent(kind, _ -> new HashMap<>()).put(their, our);
        theirs.computeIfAbsent(kind, _ -> new HashMap<>()).put(our, their);
    }

    /** Receives the pairs of a mapping. */
    @FunctionalInterface
    interface Pairs {
        void accept(String kind, String their, String our);
    }

    void forEach(Pairs pairs) {
        ours.forEach((kind, ids) -> ids.forEach((their, our) -> pairs.accept(kind, their, our)));
    }

    /** Our id for one of theirs; null if it is not mapped. */
    @Nullable
    String our(String kind, String their) {
        return ours.getOrDefault(kind, Map.of()).get(their);
    }
}
