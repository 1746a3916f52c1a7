package dev.unjank.doctor;

import java.util.List;

/**
 * What to do next about a verdict, and how to see what it rests on in the trace itself.
 *
 * @param steps what helps, what helps most first; each a sentence or two
 * @param query a query over Perfetto's tables, for {@code unjank query} or Perfetto's own page, that shows what the verdict was
 *     made of; it has gaps, which {@link #queryFor} fills
 */
public record Advice(List<String> steps, String query) {
    /** What the owner of a lock did during the wait. */
    private static final String STATES_OF_OWNER =
            """
            SELECT ts, dur, state, cpu, io_wait, blocked_function
            FROM thread_state JOIN thread USING (utid)
            WHERE tid = {owner} AND ts < {to} AND ts + dur > {from}
            ORDER BY ts""";

    /** Who ran while the owner was ready to run. */
    private static final String RAN_MEANWHILE =
            """
            SELECT sched.cpu, sched.ts, sched.dur, other.name, sched.priority
            FROM thread_state AS ready
            JOIN thread AS owner ON owner.utid = ready.utid
            JOIN sched ON sched.ts < ready.ts + ready.dur AND sched.ts + sched.dur > ready.ts
            JOIN thread AS other ON other.utid = sched.utid
            WHERE owner.tid = {owner} AND ready.state IN ('R', 'R+') AND other.tid != 0
              AND ready.ts < {to} AND ready.ts + ready.dur > {from}
            ORDER BY sched.ts""";

    /** What the owner's code did during the wait. */
    private static final String SLICES_OF_OWNER =
            """
            SELECT slice.ts, slice.dur, depth, slice.name
            FROM slice JOIN thread_track ON slice.track_id = thread_track.id JOIN thread USING (utid)
            WHERE tid = {owner} AND slice.ts < {to} AND slice.ts + slice.dur > {from}
            ORDER BY slice.ts, depth""";

    /** What the waiting thread itself did. */
    private static final String STATES_OF_THREAD = STATES_OF_OWNER.replace("{owner}", "{thread}");

    /** Who waited for a lock when. */
    private static final String WAITS =
            """
            SELECT slice.ts, slice.dur, thread.name AS waiter, slice.name
            FROM slice JOIN thread_track ON slice.track_id = thread_track.id JOIN thread USING (utid)
            WHERE (slice.name GLOB 'monitor contention with owner*' OR slice.name GLOB 'Lock contention on*')
              AND slice.ts < {to} AND slice.ts + slice.dur > {from}
            ORDER BY slice.ts""";

    /** Keeps its own copy of the list. */
    public Advice {
        steps = List.copyOf(steps);
    }

    /**
     * {@return what to do about a verdict}
     *
     * @param verdict the verdict
     */
    public static Advice of(Verdict verdict) {
        return switch (verdict) {
            case DEADLOCK ->
                new Advice(
                        List.of(
                                "Take these locks in the same order everywhere, and write the order down where they are declared.",
                                "Call no code that is not yours (listeners, binder, class loading) with a lock in hand.",
                                "Where no order can be kept, try for the second lock with a timeout and let go of the first."),
                        WAITS);
            case PRIORITY_INVERSION ->
                new Advice(
                        List.of(
                                "Share no lock between this thread and less important ones: hand the data over, as a message"
                                        + " or as an immutable snapshot.",
                                "If the lock is that of a message queue, replace the queue with one that needs no lock.",
                                "Else raise the owner's priority before it takes the lock and lower it afterwards. Java's"
                                        + " monitors lend no priority; a mutex with priority inheritance does, but the kernel"
                                        + " lends only real-time priorities, not nice values.",
                                "Do less under the lock: the shorter it is held, the rarer its owner is preempted with it."),
                        RAN_MEANWHILE);
            case PREEMPTED_OWNER ->
                new Advice(
                        List.of(
                                "Find out why there was more work than CPU time: look at who ran instead, and postpone what"
                                        + " can wait.",
                                "Hold the lock for less time: its owner is then less likely to be preempted with it.",
                                "A higher priority for the owner helps only if those that ran instead may wait."),
                        RAN_MEANWHILE);
            case LONG_HOLD ->
                new Advice(
                        List.of(
                                "Shorten the hold: compute first, then take the lock only to publish the result.",
                                "Move the work out: to a thread that shares no lock with this one.",
                                "Use a finer lock, or let readers read a snapshot without one."),
                        SLICES_OF_OWNER);
            case SLEEPING_OWNER ->
                new Advice(
                        List.of(
                                "Let go of the lock before waiting: no I/O, no binder call and no other wait with it in hand.",
                                "Fetch first and store under the lock afterwards; if two threads may fetch the same, keep a"
                                        + " future in place of the value.",
                                "If the wait under the lock cannot go, do not take this lock on a thread that must not wait."),
                        STATES_OF_OWNER);
            case UNKNOWN ->
                new Advice(
                        List.of(
                                "Record again with the scheduler's events (sched_switch, sched_waking) and the category dalvik,"
                                        + " and with a buffer large enough to lose nothing.",
                                "Until then, read the code at the two places: who takes this lock, and for how long?"),
                        STATES_OF_THREAD);
        };
    }

    /**
     * The query with its gaps filled.
     *
     * @param incident what to show
     * @return SQL; the gaps take numbers only, so nothing that a trace holds becomes part of it
     */
    public String queryFor(Incident incident) {
        LockWait wait = incident.tree();
        return query.replace("{owner}", Integer.toString(incident.owner().thread().tid()))
                .replace("{thread}", Integer.toString(wait.thread().tid()))
                .replace("{from}", Long.toString(wait.startNs()))
                .replace("{to}", Long.toString(wait.endNs()));
    }
}
