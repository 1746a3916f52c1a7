package dev.unjank.doctor.judge;

import dev.unjank.doctor.find.thread.JvmThreads;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.OwnerInterval;
import dev.unjank.doctor.model.OwnerState;
import dev.unjank.doctor.model.Segment;
import dev.unjank.doctor.model.Wait;
import dev.unjank.doctor.model.WaitKind;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The kind of blocker, as far as advice depends on it. */
public enum BlockerKind {
    /** A lock with an owner; also a wait without an owner. */
    LOCK,
    /** A reply, and no thread of the chain held a lock. */
    REPLY,
    /** The garbage collector, and no thread of the chain held a lock or served a call. */
    COLLECTION,
    /** The end of a suspension for something other than a collection. */
    SUSPENSION,
    /** The end of Flight Recorder's count of all objects in the heap. */
    OBJECT_COUNT,
    /** The end of Flight Recorder's search for the references that keep old objects alive. */
    OLD_OBJECTS,
    /** The end of another operation of Flight Recorder at a safepoint. */
    RECORDER,
    /** The end of a collection that the program requested with {@code System.gc()}. */
    EXPLICIT_GC,
    /** As EXPLICIT_GC, with G1: only G1 can collect concurrently instead. */
    EXPLICIT_G1,
    /** The last threads that reached a safepoint. */
    LATE_THREADS,
    /** The end of a collection because of a full metaspace. */
    METASPACE;

    /** The suffixes of the names of collections, which contain their causes. */
    private static final String EXPLICIT_CAUSE = "(System.gc())";

    private static final String G1 = "G1";

    private static final String METASPACE_CAUSE = "(Metadata GC ";

    /** The phase in which a collector counts surviving objects, for {@code jdk.ObjectCountAfterGC}. */
    private static final String COUNT = "Report Object Count";

    /** The cause of a collection for {@code jdk.ObjectCount}. */
    private static final String TO_COUNT = "(Heap Inspection Initiated GC)";

    /** The prefix of the recorder's VM operations, and the operation for {@code jdk.OldObjectSample}. */
    private static final String RECORDERS = "JFR";

    private static final String FOR_OLD_OBJECTS = "JFROldObject";

    /** The kind of blocker between the waiter and the threads with the decisive time, for most of that time. */
    public static BlockerKind of(Incident incident) {
        Map<BlockerKind, Long> sums = new EnumMap<>(BlockerKind.class);
        addUp(incident, incident.rootWait(), null, sums);
        BlockerKind most = LOCK;
        long longest = Long.MIN_VALUE;
        for (Map.Entry<BlockerKind, Long> sum : sums.entrySet()) {
            if (sum.getValue() > longest) {
                longest = sum.getValue();
                most = sum.getKey();
            }
        }
        return most;
    }

    private static void addUp(Incident incident, Wait wait, @Nullable BlockerKind above, Map<BlockerKind, Long> sums) {
        BlockerKind here = within(above, wait.kind());
        for (OwnerInterval ownerInterval : wait.ownerIntervals()) {
            List<Segment> parts = ownerInterval.segments();
            for (int i = 0; i < parts.size(); i++) {
                Segment part = parts.get(i);
                if (part.nextWait() != null) {
                    addUp(incident, part.nextWait(), here, sums);
                } else if (incident.isDecisive(part)) {
                    BlockerKind recorders = ofRecorder(wait, part);
                    BlockerKind cause = recorders != null ? recorders : ofPause(wait, parts, i);
                    sums.merge(cause != null ? cause : here == null ? LOCK : here, part.durNs(), Long::sum);
                }
            }
        }
    }

    /**
     * The stronger of two kinds: a lock before a reply, a reply before a collection, a collection before a suspension.
     */
    private static @Nullable BlockerKind within(@Nullable BlockerKind above, WaitKind kind) {
        BlockerKind its = switch (kind) {
            case MONITOR, RUNTIME_LOCK, MUTEX, PARK, FUTEX -> LOCK;
            case BINDER -> REPLY;
            case GC -> COLLECTION;
            case SAFEPOINT -> SUSPENSION;
            case RESOURCE, RESULT, QUEUE, CPU, KERNEL, STOP, SLEEP, IO, PINNED, CARRIER, HANDLER -> null;
        };
        return its == null || (above != null && above.compareTo(its) < 0) ? above : its;
    }

    /** The recorder's operation in a pause of a virtual machine, null if the pause was for something else. */
    private static @Nullable BlockerKind ofRecorder(Wait stop, Segment part) {
        if (!stop.isProcessPause() || part.state() == OwnerState.REACHING_SAFEPOINT) {
            return null;
        }
        if (COUNT.equals(part.detail())) {
            return OBJECT_COUNT;
        }
        if (stop.target().equals(FOR_OLD_OBJECTS)) {
            return OLD_OBJECTS;
        }
        if (JvmThreads.isFlightRecorderName(part.thread().name())) {
            return stop.target().endsWith(TO_COUNT) ? OBJECT_COUNT : RECORDER;
        }
        return stop.target().startsWith(RECORDERS) ? RECORDER : null;
    }

    /**
     * The cause of the collection during a part of a pause, or the threads that were slow to stop for it; its phases do
     * not name it, but other parts of the pause do.
     */
    private static @Nullable BlockerKind ofPause(Wait wait, List<Segment> parts, int part) {
        if (parts.get(part).state() == OwnerState.REACHING_SAFEPOINT) {
            return LATE_THREADS;
        }
        if (parts.get(part).state() != OwnerState.GC_PAUSE) {
            return null;
        }
        int first = part;
        while (first > 0 && parts.get(first - 1).state().isPause()) {
            first--;
        }
        for (int i = first; i < parts.size() && parts.get(i).state().isPause(); i++) {
            BlockerKind cause = ofCollection(wait, parts.get(i));
            if (cause != null) {
                return cause;
            }
        }
        return null;
    }

    /**
     * The cause of a virtual machine's collection, in a pause or in a wait for a thread that it stopped; null for other
     * causes.
     */
    private static @Nullable BlockerKind ofCollection(Wait wait, Segment part) {
        String collection = wait.isProcessPause() ? wait.target() : part.detail();
        if (part.state() != OwnerState.GC_PAUSE || collection == null) {
            return null;
        }
        if (collection.endsWith(EXPLICIT_CAUSE)) {
            return collection.startsWith(G1) ? EXPLICIT_G1 : EXPLICIT_GC;
        }
        return collection.contains(METASPACE_CAUSE) ? METASPACE : null;
    }

    /** Whether the virtual machine's own recorder caused it, which a setting of the recording disables. */
    public boolean isCausedByRecorder() {
        return this == OBJECT_COUNT || this == OLD_OBJECTS || this == RECORDER;
    }
}
