package dev.unjank.doctor.model;

import java.util.List;

/**
 * A trace in a few numbers, as published comparisons of message queues and locks give them. All waits of main threads for locks count, of
 * whatever length; of a Java virtual machine those of all threads; only those of one process if that was asked for. Which threads and
 * lengths were asked for changes none of it.
 *
 * @param lockWaits how often these threads waited for contended locks
 * @param lockWaitNs for how long in all, in ns
 * @param longestLockWaitNs the longest of these waits, in ns
 * @param monitorWaits how many of these waits were monitor contention, which is what the published comparisons count; the others were for
 *     locks of the runtime, its mutexes within monitors among them, or of libraries
 * @param monitorWaitNs for how long in all they waited for monitors, in ns
 * @param inversions the priority inversions among them, by how long they blocked
 * @param frames how many frames programs made
 * @param missedFrames how many of them were seen to be late
 * @param displayFrames how many frames the display's server made of these
 * @param missedDisplayFrames how many of them were seen to be late
 * @param verdicts the incidents that count, by verdict, the greatest time first
 */
public record Summary(
        int lockWaits,
        long lockWaitNs,
        long longestLockWaitNs,
        int monitorWaits,
        long monitorWaitNs,
        Inversions inversions,
        int frames,
        int missedFrames,
        int displayFrames,
        int missedDisplayFrames,
        List<Total> verdicts) {
    /** Keeps its own copy of the list. */
    public Summary {
        verdicts = List.copyOf(verdicts);
    }

    /**
     * Priority inversions by how long the wait was.
     *
     * @param from1To10Ms how many of at least 1 ms and less than 10 ms
     * @param from10To16Ms how many of at least 10 ms and at most 16 ms
     * @param over16Ms how many of more than 16 ms, a frame at 60 Hz
     * @param longestNs the longest, in ns; 0 without any
     */
    public record Inversions(int from1To10Ms, int from10To16Ms, int over16Ms, long longestNs) {}

    /**
     * The incidents of one verdict.
     *
     * @param verdict the verdict
     * @param incidents how many
     * @param durNs their time in all, in ns
     */
    public record Total(Verdict verdict, int incidents, long durNs) {}
}
