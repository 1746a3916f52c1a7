package dev.unjank.doctor.model;

import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The critical path of a missed frame: the threads that it waited for, one after another. Without any of these parts it
 * would have been done earlier.
 *
 * @param intervals the path, by time, without gaps and overlaps; the durations add up to the frame's
 * @param threads the threads of the path, longest first; their durations add up to the frame's
 */
public record CriticalPath(List<OwnerInterval> intervals, List<ThreadWork> threads) {
    /** Copies the lists. */
    public CriticalPath {
        intervals = List.copyOf(intervals);
        threads = List.copyOf(threads);
    }

    /**
     * {@return the slices of one name that took a thread of the path longest, without nested ones; null without any}
     *
     * @param thread the thread
     */
    public @Nullable PathSlice longestSlice(ThreadRef thread) {
        return threads.stream()
                .filter(work -> work.thread().utid() == thread.utid())
                .flatMap(work -> work.slices().stream())
                .max(Comparator.comparingLong(PathSlice::ownNs))
                .orElse(null);
    }

    /**
     * The part of one thread in a critical path.
     *
     * @param thread the thread
     * @param durNs the duration of its intervals, ns
     * @param states its states in them, longest first; their durations add up to {@code durNs}
     * @param slices its slices, longest first; without short ones, and without those that nearly fill another one of
     *     these
     */
    public record ThreadWork(
            ThreadRef thread, long durNs, List<Incident.StateDuration> states, List<PathSlice> slices) {
        /** Copies the lists. */
        public ThreadWork {
            states = List.copyOf(states);
            slices = List.copyOf(slices);
        }
    }

    /**
     * The slices of one name.
     *
     * @param name the name
     * @param depth the least depth of these slices, 0 for an outermost one
     * @param durNs their duration in the frame, with nested slices and with the sleeps in which other threads were the
     *     path, ns
     * @param ownNs their duration in the path, without nested slices, ns
     */
    public record PathSlice(String name, int depth, long durNs, long ownNs) {}
}
