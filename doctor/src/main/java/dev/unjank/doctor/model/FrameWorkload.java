package dev.unjank.doctor.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The work of a program in a missed frame, outside of its waits.
 *
 * @param frame the frame
 * @param waitNs the waits in the frame, ns
 * @param origin the origin of the worker's code
 * @param worker the thread of the program that ran longest in the frame; null if unknown
 * @param runningNs running time of the worker outside of its waits, ns; 0 if unknown
 * @param sleep the worker's sleep outside of its waits; null if short
 * @param slices the worker's slices outside of its waits, longest first, without short ones
 */
public record FrameWorkload(
        Frame frame,
        long waitNs,
        CodeOrigin origin,
        @Nullable ThreadRef worker,
        long runningNs,
        @Nullable Sleep sleep,
        List<SliceTime> slices) {
    /** Copies the list. */
    public FrameWorkload {
        slices = List.copyOf(slices);
    }

    /**
     * Sleep that is no known wait.
     *
     * @param durNs duration, ns
     * @param waker the thread that ended most of it; null if there is none or it is unknown
     * @param wokenByWakerNs duration of the sleeps that {@code waker} ended, ns
     */
    public record Sleep(long durNs, @Nullable ThreadRef waker, long wokenByWakerNs) {}

    /**
     * The time of slices of one name.
     *
     * @param name the name
     * @param durNs duration with sleep and without nested slices, ns
     */
    public record SliceTime(String name, long durNs) {}
}
