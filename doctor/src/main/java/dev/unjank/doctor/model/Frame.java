package dev.unjank.doctor.model;

import dev.unjank.trace.model.PresentType;
import org.jspecify.annotations.Nullable;

/**
 * A frame, or what stands for one where the trace has none.
 *
 * @param id its number in the {@link Diagnosis}, from 0
 * @param source how it is known
 * @param row its row: in the trace's frames with {@link Source#TIMELINE}, else in its slices
 * @param upid the process that made it, -1 if the trace does not say
 * @param utid the looper of a {@link Source#MESSAGE}, or of a Java program's frame, which only its own waits hold up; -1 for other
 *     frames
 * @param process that process's name, null if unknown
 * @param name the layer, the slice, or the message
 * @param display whether it is the display's server's own, which shows the frames of programs, rather than one of these
 * @param startNs when work on it began, on the trace's clock
 * @param durNs how long it took, in ns
 * @param missedByNs by how much it missed its deadline, or the time that a frame may take; 0 if it did not or that is not known
 * @param jankMask bits of {@link dev.unjank.trace.model.JankType}; 0 but with {@link Source#TIMELINE}
 * @param jankType why it was janky in words, as Perfetto's: {@code App Deadline Missed, Buffer Stuffing}; {@code None} if it
 *     was not
 * @param presented when it was shown, against when it was expected; {@link PresentType#UNSPECIFIED} if the trace does not tell
 * @param missed whether somebody sees that it was late: it was janky, and not shown when expected or before
 * @param isAppJank whether its own program was late, rather than the display's
 */
public record Frame(
        int id,
        Source source,
        int row,
        int upid,
        int utid,
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

    /** How a frame is known. */
    public enum Source {
        /** Android's frame timeline. */
        TIMELINE,
        /** {@code Choreographer#doFrame} slices, held against the display's period. */
        CHOREOGRAPHER,
        /** The run of a message by a looper, held against the display's period: any longer run is a frame not drawn. */
        MESSAGE
    }

    /** The same frame with another number. */
    public Frame withId(int other) {
        return new Frame(
                other,
                source,
                row,
                upid,
                utid,
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

    /** Whether a wait of a thread, or of all threads of a process, holds this frame up, if it lies in its time. */
    public boolean isOf(ThreadRef thread) {
        boolean any = utid < 0 || !thread.isInTrace();
        return any ? upid == thread.upid() : utid == thread.utid();
    }

    /**
     * {@return when it was done, on the trace's clock}
     */
    public long endNs() {
        return startNs + durNs;
    }
}
