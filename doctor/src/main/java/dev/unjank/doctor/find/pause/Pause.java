package dev.unjank.doctor.find.pause;

import dev.unjank.doctor.find.activity.ActivityInterval;
import dev.unjank.doctor.model.WaitKind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A pause of all threads of a process: a safepoint of its virtual machine, or a stop from outside.
 *
 * @param upid the process
 * @param kind {@link WaitKind#GC} for a collection, {@link WaitKind#STOP} for a stop from outside, otherwise {@link
 *     WaitKind#SAFEPOINT}
 * @param operation the collection with its cause, such as {@code G1New (G1 Evacuation Pause)}, the safepoint operation,
 *     or the signal or debugger that stopped the process
 * @param caller the thread that requested the safepoint, null if unknown
 * @param unfinished whether it was not over at the end of the trace
 * @param intervals its phases, by time, without gaps and overlaps, at least one
 */
record Pause(
        int upid,
        WaitKind kind,
        String operation,
        @Nullable Caller caller,
        boolean unfinished,
        List<ActivityInterval> intervals) {

    /** Causes of a collection that a thread or a tool requested. An allocation is no such request. */
    private static final List<String> REQUEST_CAUSES = List.of(
            "(System.gc())",
            "(Heap Inspection Initiated GC)",
            "(Heap Dump Initiated GC)",
            "(Diagnostic Command)",
            "(JvmtiEnv ForceGarbageCollection)");

    /**
     * A thread as the name of a slice has it.
     *
     * @param name its name
     * @param tid its tid
     */
    record Caller(String name, int tid) {}

    Pause {
        intervals = List.copyOf(intervals);
    }

    long startNs() {
        return intervals.getFirst().from();
    }

    long endNs() {
        return intervals.getLast().to();
    }

    long durNs() {
        return endNs() - startNs();
    }

    /** Whether a thread requested it, rather than the virtual machine itself. */
    boolean isRequested() {
        return kind == WaitKind.SAFEPOINT || REQUEST_CAUSES.stream().anyMatch(operation::endsWith);
    }
}
