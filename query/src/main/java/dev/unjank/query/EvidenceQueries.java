package dev.unjank.query;

import dev.unjank.doctor.model.Platform;
import dev.unjank.doctor.model.Verdict;
import org.jspecify.annotations.Nullable;

/** The queries that show the evidence for a verdict. Placeholders in braces stand for numbers. */
final class EvidenceQueries {
    /** The states of the responsible thread during the wait. */
    private static final String STATES = """
            SELECT ts, dur, state, cpu, io_wait, blocked_function
            FROM thread_state JOIN thread USING (utid)
            WHERE tid = {responsible} AND ts < {to} AND (dur < 0 OR ts + dur > {from})
            ORDER BY ts""";

    /**
     * The threads that ran while the responsible thread was runnable, or may have been: old kernels do not say when a
     * sleep was over.
     */
    private static final String RAN_MEANWHILE = """
            SELECT sched.cpu, sched.ts, sched.dur, other.name, sched.priority
            FROM (
              SELECT ts, dur, state, lead(state) OVER (PARTITION BY utid ORDER BY ts, thread_state.id) AS next_state
              FROM thread_state JOIN thread USING (utid)
              WHERE tid = {responsible}
            ) AS ready
            JOIN sched ON (ready.dur < 0 OR sched.ts < ready.ts + ready.dur) AND (sched.dur < 0 OR sched.ts + sched.dur > ready.ts)
            JOIN thread AS other ON other.utid = sched.utid
            WHERE (ready.state IN ('R', 'R+') OR (ready.state != 'Running' AND ready.next_state = 'Running')) AND other.tid != 0
              AND ready.ts < {to} AND (ready.dur < 0 OR ready.ts + ready.dur > {from})
              AND sched.ts < {to} AND (sched.dur < 0 OR sched.ts + sched.dur > {from})
            ORDER BY sched.ts""";

    /** The threads that were stopped from outside. */
    private static final String STOPPED_THREADS = """
            SELECT ts, dur, state, process.name AS process, thread.name AS thread
            FROM thread_state JOIN thread USING (utid) JOIN process USING (upid)
            WHERE state IN ('T', 't') AND ts < {to} AND (dur < 0 OR ts + dur > {from})
            ORDER BY ts""";

    /** The slices of the responsible thread during the wait. */
    private static final String SLICES = """
            SELECT slice.ts, slice.dur, slice.depth, slice.name
            FROM slice JOIN thread_track ON slice.track_id = thread_track.id JOIN thread USING (utid)
            WHERE tid = {responsible} AND slice.ts < {to} AND (slice.dur < 0 OR slice.ts + slice.dur > {from})
            ORDER BY slice.ts, slice.depth""";

    /** The waiters for a lock during the wait. */
    private static final String WAITS = """
            SELECT slice.ts, slice.dur, thread.name AS waiter, slice.name
            FROM slice JOIN thread_track ON slice.track_id = thread_track.id JOIN thread USING (utid)
            WHERE (slice.name GLOB 'monitor contention with owner*' OR slice.name GLOB 'Lock contention on*'
                OR slice.name GLOB 'parking on * (owner tid*')
              AND slice.ts < {to} AND (slice.dur < 0 OR slice.ts + slice.dur > {from})
            ORDER BY slice.ts""";

    /** The activity of the collector, and of the threads that delayed it, in the waiter's process. */
    private static final String COLLECTION = """
            SELECT slice.ts, slice.dur, other.name AS thread, slice.name
            FROM thread AS waiter JOIN thread AS other USING (upid)
            JOIN thread_track ON thread_track.utid = other.utid
            JOIN slice ON slice.track_id = thread_track.id
            WHERE waiter.tid = {waiter} AND (slice.name GLOB '*GC*' OR slice.name GLOB '*Flip*' OR slice.name GLOB '*Suspend*')
              AND slice.ts < {to} AND (slice.dur < 0 OR slice.ts + slice.dur > {from})
            ORDER BY slice.ts""";

    /** The leaves of the blame tree. */
    private static final String LEAVES = """
            SELECT blame.ts, blame.dur, blame.state, blame.thread_name, blame.detail
            FROM unjank_blame AS blame JOIN unjank_incident AS incident ON incident.id = blame.incident_id
            WHERE incident.tid = {waiter} AND incident.ts >= {from} AND incident.ts < {to}
            ORDER BY blame.ts""";

    /** The pauses of all threads, with their phases, and the collections that ran beside the program. */
    private static final String PAUSES = """
            SELECT slice.ts, slice.dur, slice.depth, slice.name
            FROM slice JOIN process_track ON slice.track_id = process_track.id
            WHERE slice.category IN ('gc', 'safepoint') AND slice.ts < {to} AND slice.ts + slice.dur > {from}
            ORDER BY slice.ts, slice.depth""";

    private EvidenceQueries() {}

    /** {@return the query for a verdict} */
    static String of(Verdict verdict, Platform platform) {
        String ofJvm = platform.isJvm() ? ofJvm(verdict) : null;
        return ofJvm != null ? ofJvm : ofAnyPlatform(verdict);
    }

    private static String ofAnyPlatform(Verdict verdict) {
        return switch (verdict) {
            case DEADLOCK, LOCK_CONVOY -> WAITS;
            case GC_BLOCKED_BY_CRITICAL, GC_BLOCKED, SAFEPOINT_BLOCKED -> COLLECTION;
            case PRIORITY_INVERSION, RUNNABLE_OWNER -> RAN_MEANWHILE;
            case LONG_HOLD, SLOW_REPLY -> SLICES;
            case RESOURCE_EXHAUSTED, WAITED_FOR_RESULT -> LEAVES;
            case SLEPT, SLOW_IO, PINNED, LONG_HANDLER -> SLICES.replace("{responsible}", "{waiter}");
            case SLEEPING_OWNER -> STATES;
            case QUEUE_BACKLOG -> SLICES.replace("{responsible}", "{waiter}");
            case NO_CPU -> RAN_MEANWHILE.replace("{responsible}", "{waiter}");
            case BLOCKING_IO, UNKNOWN -> STATES.replace("{responsible}", "{waiter}");
            case STOPPED -> STOPPED_THREADS;
        };
    }

    /** {@return the query for a virtual machine, null if it is the same as everywhere} */
    private static @Nullable String ofJvm(Verdict verdict) {
        return switch (verdict) {
            case GC_BLOCKED, SAFEPOINT_BLOCKED -> PAUSES;
            case LONG_HOLD, SLEEPING_OWNER, UNKNOWN -> LEAVES;
            default -> null;
        };
    }
}
