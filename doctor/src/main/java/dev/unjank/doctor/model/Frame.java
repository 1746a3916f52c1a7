package dev.unjank.doctor.model;

import dev.unjank.trace.model.PresentType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A frame, or the run of a message in a trace without frames.
 *
 * @param id its index in the {@link Diagnosis}, from 0
 * @param source the data that it is from
 * @param row its row: in the trace's frames for {@link Source#TIMELINE}, otherwise in its slices
 * @param upid the process that rendered it, -1 if unknown
 * @param utid the thread that drew it, or the looper of a {@link Source#MESSAGE}; -1 if unknown
 * @param tid that thread's number; {@value ThreadRef#NOT_IN_TRACE} if unknown
 * @param renderers the utids of threads that render what an Android program's UI threads prepared
 * @param process the name of the process, null if unknown
 * @param name the layer, the slice, or the message
 * @param display true for a frame of the display server, false for one of a program
 * @param startNs start of the work on the trace's clock, ns
 * @param durNs duration, ns
 * @param missedByNs time past its deadline, or past the display's period, ns; 0 if in time or unknown
 * @param jankMask bits of {@link dev.unjank.trace.model.JankType}; 0 for other sources than {@link Source#TIMELINE}
 * @param jankType Perfetto's jank types: {@code App Deadline Missed, Buffer Stuffing}; {@code None} if not janky
 * @param presented Perfetto's present type; {@link PresentType#UNSPECIFIED} if unknown
 * @param missed whether a user sees the jank: it was janky, and not presented on time or early
 * @param isAppJank whether the program missed the deadline, rather than the display
 */
public record Frame(
        int id,
        Source source,
        int row,
        int upid,
        int utid,
        int tid,
        List<Integer> renderers,
        @Nullable String process,
        String name,
        boolean display,
        long startNs,
        long durNs,
        long missedByNs,
        int jankMask,
        String jankType,
        PresentType presented,
        boolean missed,
        boolean isAppJank) {

    /** Copies the list. */
    public Frame {
        renderers = List.copyOf(renderers);
    }

    /** The data that a frame is from. */
    public enum Source {
        /** Android's frame timeline. */
        TIMELINE,
        /** A {@code Choreographer#doFrame} slice; its deadline is the display's period. */
        CHOREOGRAPHER,
        /** The run of a message by a looper; a run longer than the display's period counts as a missed frame. */
        MESSAGE
    }

    /**
     * {@return this frame with another id}
     *
     * @param other the id
     */
    public Frame withId(int other) {
        return new Frame(
                other,
                source,
                row,
                upid,
                utid,
                tid,
                renderers,
                process,
                name,
                display,
                startNs,
                durNs,
                missedByNs,
                jankMask,
                jankType,
                presented,
                missed,
                isAppJank);
    }

    /**
     * {@return whether a wait during this frame delays it: one of the threads that work on it, or of the process if
     *     these are unknown}
     *
     * @param thread the waiting thread, or all threads of a process
     */
    public boolean isOf(ThreadRef thread) {
        boolean any = utid < 0 || !thread.isInTrace();
        return any ? upid == thread.upid() : thread.utid() == utid || renderers.contains(thread.utid());
    }

    /** {@return the end on the trace's clock, ns} */
    public long endNs() {
        return startNs + durNs;
    }
}
