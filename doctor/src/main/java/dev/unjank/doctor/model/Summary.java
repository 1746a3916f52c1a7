package dev.unjank.doctor.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Totals of a trace, comparable with published measurements of message queues and locks. They include lock waits of any
 * duration by main threads, or by all threads of a Java virtual machine. Of the options only the process restricts
 * them.
 *
 * @param lockWaits number of waits for contended locks
 * @param lockWaitNs their duration, ns
 * @param longestLockWaitNs the longest of them, ns
 * @param monitorWaits number of waits for monitors, which published comparisons count; the others are waits for locks
 *     of the runtime and of libraries
 * @param monitorWaitNs duration of the waits for monitors, ns
 * @param inversions priority inversions among the lock waits; null without scheduler events
 * @param frames number of frames of programs
 * @param missedFrames number of missed ones among them
 * @param displayFrames number of frames of the display server
 * @param missedDisplayFrames number of missed ones among them
 * @param verdicts the incidents by verdict, longest total time first
 */
public record Summary(
        int lockWaits,
        long lockWaitNs,
        long longestLockWaitNs,
        int monitorWaits,
        long monitorWaitNs,
        @Nullable Inversions inversions,
        int frames,
        int missedFrames,
        int displayFrames,
        int missedDisplayFrames,
        List<Total> verdicts) {
    /** Copies the list. */
    public Summary {
        verdicts = List.copyOf(verdicts);
    }

    /**
     * Priority inversions by the duration of the wait.
     *
     * @param from1To10Ms number of waits of at least 1 ms and less than 10 ms
     * @param from10To16Ms number of waits of 10 ms to 16 ms
     * @param over16Ms number of waits of more than 16 ms, a frame at 60 Hz
     * @param longestNs the longest wait, ns; 0 without any
     */
    public record Inversions(int from1To10Ms, int from10To16Ms, int over16Ms, long longestNs) {}

    /**
     * The incidents of one verdict.
     *
     * @param verdict the verdict
     * @param incidents number of incidents
     * @param durNs their total duration, ns
     */
    public record Total(Verdict verdict, int incidents, long durNs) {}
}
