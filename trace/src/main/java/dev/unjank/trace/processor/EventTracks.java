package dev.unjank.trace.processor;

import static dev.unjank.trace.processor.ProcessorTable.NULL;

import dev.unjank.trace.processor.ArgSets.Type;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Tracks of track events, by the descriptors with their uuids. */
final class EventTracks {
    private static final int MOST_PARENTS = 32;
    private static final int MERGE_BY_KEY = 3;
    private static final int MERGE_NONE = 2;

    /** A descriptor; pid and tid are -1 if it has none. */
    static final class Descriptor {
        long uuid;
        long parent;
        long pid = -1;
        long tid = -1;

        @Nullable
        String name;

        @Nullable
        ProtoFields counter;

        boolean firstPacket;
        long mergeBehavior;

        @Nullable
        String mergeKey;

        double counterSum;
        long siblingRank;
        boolean hasSiblingRank;
        long childOrdering;

        @Nullable
        String description;
    }

    private final ProcessorContext context;
    private final Map<Long, Descriptor> descriptors = new HashMap<>();
    private final Map<Long, Integer> tracks = new HashMap<>();
    private final Map<Long, AsyncTracks.TrackSet> merged = new HashMap<>();
    private final Set<Long> firstPackets = new HashSet<>();

    EventTracks(ProcessorContext context) {
        this.context = context;
    }

    @Nullable
    Descriptor descriptor(long uuid) {
        return descriptors.get(uuid);
    }

    void add(Descriptor descriptor) {
        if (descriptor.firstPacket) {
            firstPackets.add(descriptor.uuid);
        }
        Descriptor known = descriptors.get(descriptor.uuid);
        if (known == null || !tracks.containsKey(descriptor.uuid)) {
            descriptors.put(descriptor.uuid, descriptor);
        }
    }

    /** The descriptor with the thread or process that a track belongs to; null for a global track. */
    private @Nullable Descriptor scope(@Nullable Descriptor start) {
        Descriptor at = start;
        for (int i = 0; at != null && i < MOST_PARENTS; i++) {
            if (at.tid >= 0 || at.pid >= 0) {
                return at;
            }
            at = at.parent == 0 ? null : descriptors.get(at.parent);
        }
        return null;
    }

    /** The utid that a track belongs to, -1 if none. */
    int utid(long uuid) {
        Descriptor scope = scope(descriptors.get(uuid));
        return scope == null || scope.tid < 0 ? -1 : context.processes.thread(scope.tid, scope.pid);
    }

    /** Whether a track's slices may lie on several rows, because tracks of equal names are merged. */
    private static boolean isMerged(Descriptor descriptor) {
        return descriptor.tid < 0
                && descriptor.pid < 0
                && descriptor.counter == null
                && descriptor.mergeBehavior != MERGE_NONE;
    }

    AsyncTracks.@Nullable TrackSet mergedSet(long uuid) {
        Descriptor descriptor = descriptors.get(uuid);
        if (descriptor == null && uuid == 0) {
            descriptor = new Descriptor();
            descriptor.name = "Default Track";
            descriptors.put(0L, descriptor);
        }
        if (descriptor == null || !isMerged(descriptor)) {
            return null;
        }
        AsyncTracks.TrackSet known = merged.get(uuid);
        if (known == null) {
            known = createSet(descriptor);
            merged.put(uuid, known);
        }
        return known;
    }

    private AsyncTracks.TrackSet createSet(Descriptor descriptor) {
        Descriptor scope = scope(descriptor);
        ArgList dimensions = context.args();
        String type = scoped(scope, dimensions, "merged_track_event");
        boolean byKey = descriptor.mergeBehavior == MERGE_BY_KEY && descriptor.mergeKey != null;
        String key = byKey ? descriptor.mergeKey : descriptor.name;
        dimensions.integer("parent_track_uuid", descriptor.parent).integer("merge_key_type", byKey ? 1 : 0);
        dimensions.string("merge_key_value", key == null ? "" : key);
        return context.asyncTracks.set(type, dimensions, name(descriptor), source(descriptor), parent(descriptor));
    }

    private String scoped(@Nullable Descriptor scope, ArgList dimensions, String kind) {
        if (scope == null) {
            return "global_" + kind;
        } else if (scope.tid >= 0) {
            context.processes.process(scope.pid);
            dimensions.integer("utid", context.processes.thread(scope.tid, scope.pid));
            return "thread_" + kind;
        }
        dimensions.integer("upid", context.processes.process(scope.pid));
        return "process_" + kind;
    }

    private int name(Descriptor descriptor) {
        return descriptor.name == null ? -1 : context.intern(descriptor.name);
    }

    private ArgList source(Descriptor descriptor) {
        boolean root = descriptor.tid >= 0 || descriptor.pid >= 0 || descriptor.uuid == 0;
        ArgList args = context.args()
                .string("source", "descriptor")
                .integer("trace_id", descriptor.uuid)
                .bool("is_root_in_scope", root);
        if (firstPackets.contains(descriptor.uuid)) {
            args.bool("has_first_packet_on_sequence", true);
        }
        if (descriptor.childOrdering > 0) {
            String[] names = {"", "lexicographic", "chronological", "explicit"};
            args.string("child_ordering", names[(int) Math.min(descriptor.childOrdering, 3)]);
        }
        if (descriptor.hasSiblingRank) {
            args.integer("sibling_order_rank", descriptor.siblingRank);
        }
        return args;
    }

    /** The track of the parent; NULL if that is the track of the thread or process itself. */
    private long parent(Descriptor descriptor) {
        Descriptor parent = descriptor.parent == 0 ? null : descriptors.get(descriptor.parent);
        if (parent == null || parent.tid >= 0 || parent.pid >= 0) {
            return NULL;
        }
        return track(descriptor.parent);
    }

    /** The track with a uuid. */
    int track(long uuid) {
        Integer known = tracks.get(uuid);
        if (known != null) {
            return known;
        }
        AsyncTracks.TrackSet set = mergedSet(uuid);
        int track;
        Descriptor descriptor = descriptors.get(uuid);
        if (set != null) {
            track = context.asyncTracks.first(set, context.strings);
        } else if (descriptor == null) {
            Descriptor unknown = new Descriptor();
            unknown.uuid = uuid;
            track = create(unknown);
        } else {
            track = create(descriptor);
        }
        tracks.put(uuid, track);
        return track;
    }

    private int create(Descriptor descriptor) {
        ProtoFields counter = descriptor.counter;
        ArgList dimensions = context.args();
        String type = scoped(scope(descriptor), dimensions, counter == null ? "track_event" : "counter_track_event");
        dimensions.add("track_uuid", Type.INT, descriptor.uuid);
        TrackRows.Details details = new TrackRows.Details(
                counter == null ? TrackRows.Kind.SLICES : TrackRows.Kind.COUNTERS,
                name(descriptor),
                counter == null ? null : unit(counter),
                NULL,
                source(descriptor));
        int track = context.tracks.intern(type, dimensions, details);
        context.tracks.table.set(track, TrackRows.PARENT, parent(descriptor));
        if (descriptor.description != null) {
            context.tracks.describe(track, descriptor.description);
        }
        return track;
    }

    private static @Nullable String unit(ProtoFields counter) {
        if (counter.has(6)) {
            return counter.text(6);
        }
        return switch ((int) counter.number(3)) {
            case 1 -> "ns";
            case 2 -> "count";
            case 3 -> "bytes";
            default -> null;
        };
    }
}
