package dev.unjank.doctor.find.pause;

import dev.unjank.doctor.find.activity.ActivityInterval;
import dev.unjank.doctor.model.WaitKind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A time in which all threads of a process stood still: a virtual machine held them, or somebody outside stopped the process.
 *
 * @param upid the process
 * @param kind {@link WaitKind#GC} if garbage was collected meanwhile, {@link WaitKind#STOP} if it was from outside, else {@link
 *     WaitKind#SAFEPOINT}
 * @param what the collection with its cause, such as {@code G1New (G1 Evacuation Pause)}, or the safepoint's operation,
 *     or what stopped it from outside
 * @param caller the thread that asked for the safepoint, null if not told
 * @param unfinished whether it was not over when the trace was
 * @param spans what was done, in order of time, without gaps and overlaps, at least one; a phase of a collection has a span of
 *     its own
 */
record Pause(
        int upid,
        WaitKind kind,
        String what,
        @Nullable Caller caller,
        boolean unfinished,
        List<ActivityInterval> spans) {

    /** Causes of a collection for which somebody asked; what a thread needs memory for is not its fault alone. */
    private static final List<String> ASKED_FOR = List.of(
            "(System.gc())",
            "(Heap Inspection Initiated GC)",
            "(Heap Dump Initiated GC)",
            "(Diagnostic Command)",
            "(JvmtiEnv ForceGarbageCollection)");

    /**
     * A thread as the name of a slice has it.
     *
     * @param name its name
     * @param tid the kernel's number
     */
    record Caller(String name, int tid) {}

    Pause {
        spans = List.copyOf(spans);
    }

    long startNs() {
        return spans.getFirst().from();
    }

    long endNs() {
        return spans.getLast().to();
    }

    long durNs() {
        return endNs() - startNs();
    }

    /** Whether it was a thread's wish, rather than the machine's own. */
    boolean isRequested() {
        return kind == WaitKind.SAFEPOINT || ASKED_FOR.stream().anyMatch(what::endsWith);
    }
}
