package dev.unjank.doctor.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A late frame that its own program's work made late, rather than waits.
 *
 * @param frame the frame
 * @param waitNs for how long it waited nevertheless, in ns
 * @param origin who made the program
 * @param worker the thread of the program that worked on it for longest; null if the trace does not tell
 * @param runningNs how long that one ran in the rest of the frame, in ns; 0 if the trace does not tell
 * @param sleep how it slept in that rest; null if that is not worth a word
 * @param slices what that rest was made of in the program's own words, longest first; only what is worth a word
 */
public record FrameWorkload(
        Frame frame,
        long waitNs,
        CodeOrigin origin,
        @Nullable ThreadRef worker,
        long runningNs,
        @Nullable Sleep sleep,
        List<SliceTime> slices) {
    /** Keeps its own copy of the list. */
    public FrameWorkload {
        slices = List.copyOf(slices);
    }

    /**
     * Sleep for which no wait that the doctor knows is the reason.
     *
     * @param durNs how much of it there was, in ns
     * @param waker who ended most of it; null if that was nobody, or nobody knows
     * @param wokenByWakerNs how much that one ended, in ns
     */
    public record Sleep(long durNs, @Nullable ThreadRef waker, long wokenByWakerNs) {}

    /**
     * Slices of one name.
     *
     * @param name the name
     * @param durNs how long they took, sleep included and without the slices within them, in ns
     */
    public record SliceTime(String name, long durNs) {}
}
