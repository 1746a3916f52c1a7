package dev.unjank.doctor.report;

import dev.unjank.doctor.judge.BlockerKind;
import dev.unjank.doctor.judge.SummaryBuilder;
import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.FrameWorkload;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.LongOrder;
import dev.unjank.doctor.model.Platform;
import dev.unjank.doctor.model.ThreadRef;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.model.Wait;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What to do next about a verdict, and how to see what it rests on in the trace itself.
 *
 * @param steps what helps, what helps most first; each a sentence or two
 * @param query a query over Perfetto's tables, for {@code unjank query} or Perfetto's own page, that shows what the verdict was
 *     made of; it has gaps, which {@link #queryFor} fills
 */
public record Advice(List<String> steps, String query) {
    /** What the thread to blame did during the wait. */
    private static final String STATES = """
            SELECT ts, dur, state, cpu, io_wait, blocked_function
            FROM thread_state JOIN thread USING (utid)
            WHERE tid = {blamed} AND ts < {to} AND (dur < 0 OR ts + dur > {from})
            ORDER BY ts""";

    /** Who ran while the thread to blame was ready to run, or may have been: old kernels do not say when a sleep was over. */
    private static final String RAN_MEANWHILE = """
            SELECT sched.cpu, sched.ts, sched.dur, other.name, sched.priority
            FROM (
              SELECT ts, dur, state, lead(state) OVER (PARTITION BY utid ORDER BY ts, thread_state.id) AS next_state
              FROM thread_state JOIN thread USING (utid)
              WHERE tid = {blamed}
            ) AS ready
            JOIN sched ON (ready.dur < 0 OR sched.ts < ready.ts + ready.dur) AND (sched.dur < 0 OR sched.ts + sched.dur > ready.ts)
            JOIN thread AS other ON other.utid = sched.utid
            WHERE (ready.state IN ('R', 'R+') OR (ready.state != 'Running' AND ready.next_state = 'Running')) AND other.tid != 0
              AND ready.ts < {to} AND (ready.dur < 0 OR ready.ts + ready.dur > {from})
              AND sched.ts < {to} AND (sched.dur < 0 OR sched.ts + sched.dur > {from})
            ORDER BY sched.ts""";

    /** Which threads were stopped from outside. */
    private static final String HALTED = """
            SELECT ts, dur, state, process.name AS process, thread.name AS thread
            FROM thread_state JOIN thread USING (utid) JOIN process USING (upid)
            WHERE state IN ('T', 't') AND ts < {to} AND (dur < 0 OR ts + dur > {from})
            ORDER BY ts""";

    /** What the program of the thread to blame says it did during the wait. */
    private static final String SLICES = """
            SELECT slice.ts, slice.dur, slice.depth, slice.name
            FROM slice JOIN thread_track ON slice.track_id = thread_track.id JOIN thread USING (utid)
            WHERE tid = {blamed} AND slice.ts < {to} AND (slice.dur < 0 OR slice.ts + slice.dur > {from})
            ORDER BY slice.ts, slice.depth""";

    /** Who waited for a lock during the wait. */
    private static final String WAITS = """
            SELECT slice.ts, slice.dur, thread.name AS waiter, slice.name
            FROM slice JOIN thread_track ON slice.track_id = thread_track.id JOIN thread USING (utid)
            WHERE (slice.name GLOB 'monitor contention with owner*' OR slice.name GLOB 'Lock contention on*'
                OR slice.name GLOB 'parking on * (owner tid*')
              AND slice.ts < {to} AND (slice.dur < 0 OR slice.ts + slice.dur > {from})
            ORDER BY slice.ts""";

    /** What the collector and those in its way did in the process of the thread that waited. */
    private static final String COLLECTION = """
            SELECT slice.ts, slice.dur, other.name AS thread, slice.name
            FROM thread AS waiter JOIN thread AS other USING (upid)
            JOIN thread_track ON thread_track.utid = other.utid
            JOIN slice ON slice.track_id = thread_track.id
            WHERE waiter.tid = {thread} AND (slice.name GLOB '*GC*' OR slice.name GLOB '*Flip*' OR slice.name GLOB '*Suspend*')
              AND slice.ts < {to} AND (slice.dur < 0 OR slice.ts + slice.dur > {from})
            ORDER BY slice.ts""";

    /** Keeps its own copy of the list. */
    public Advice {
        steps = List.copyOf(steps);
    }

    /**
     * What to do about an incident.
     *
     * @param incident the incident
     * @param platform what kind of machine the trace is of
     * @return the advice
     */
    public static Advice of(Incident incident, Platform platform) {
        return of(incident.verdict(), BlockerKind.of(incident), platform);
    }

    /**
     * What to do about all incidents with a verdict.
     *
     * @param verdict the verdict
     * @param diagnosis what holds the incidents
     * @return the advice for what was waited for longest first
     */
    public static Advice of(Verdict verdict, Diagnosis diagnosis) {
        Map<BlockerKind, Long> sums = new EnumMap<>(BlockerKind.class);
        Stream.concat(diagnosis.incidents().stream(), diagnosis.notShown().stream())
                .filter(incident -> incident.verdict() == verdict)
                .forEach(incident ->
                        sums.merge(BlockerKind.of(incident), incident.rootWait().durNs(), Long::sum));
        if (sums.isEmpty()) {
            sums.put(BlockerKind.LOCK, 0L);
        }
        Set<String> steps = new LinkedHashSet<>();
        sums.entrySet().stream()
                .sorted(LongOrder.descending(Map.Entry::getValue))
                .forEach(sum -> steps.addAll(
                        of(verdict, sum.getKey(), diagnosis.platform()).steps()));
        return new Advice(
                List.copyOf(steps),
                of(verdict, BlockerKind.LOCK, diagnosis.platform()).query());
    }

    /**
     * What to do first about a late frame that its own program's work made late.
     *
     * @param work the frame
     * @param platform what the trace is of
     * @return a sentence
     */
    public static String of(FrameWorkload work, Platform platform) {
        String frame = MessageCatalogue.frame(platform);
        FrameWorkload.Sleep sleep = work.sleep();
        ThreadRef waker = sleep == null ? null : sleep.waker();
        if (sleep != null
                && waker != null
                && sleep.wokenByWakerNs() * 4 >= work.frame().durNs()) {
            return "See what " + ThreadLabels.name(waker) + " did in that " + frame
                    + " until it let the other go on, and do it" + " earlier or in smaller pieces.";
        }
        if (work.runningNs() > 0 && work.runningNs() * 2 < work.frame().durNs() - work.waitNs()) {
            return "It ran for less than half of that " + frame
                    + ": find out what it slept for, in short waits for locks (--min-ms 0), or because nobody had asked it to go on yet.";
        }
        return work.slices().isEmpty()
                ? "Record what the program does in such a " + frame + ": slices of its own, or samples of its stack."
                : "Of what it was longest in, do earlier, later or on another thread what need not be done in this "
                        + frame + ".";
    }

    /**
     * The verdicts that were given, in the order in which to do something, in every report.
     *
     * @param diagnosis what holds them
     * @return that of the answer, then those that took the most time; those of incidents that are shown unasked come before the others
     */
    public static List<Verdict> order(Diagnosis diagnosis) {
        Set<Verdict> order = new LinkedHashSet<>();
        Incident first = diagnosis.mainFinding().incident();
        if (first != null) {
            order.add(first.verdict());
        }
        diagnosis.summary().verdicts().forEach(total -> order.add(total.verdict()));
        SummaryBuilder.totals(diagnosis.incidents()).forEach(total -> order.add(total.verdict()));
        return List.copyOf(order);
    }

    public static Advice of(Verdict verdict, BlockerKind awaited, Platform platform) {
        List<String> steps = platform.isJvm() ? JvmAdvice.steps(verdict, awaited) : null;
        if (steps == null) {
            steps = NonLockAdvice.steps(verdict, awaited);
        }
        String query = platform.isJvm() ? JvmAdvice.template(verdict) : null;
        return new Advice(steps == null ? steps(verdict) : steps, query == null ? template(verdict) : query);
    }

    private static List<String> steps(Verdict verdict) {
        return switch (verdict) {
            case DEADLOCK ->
                List.of(
                        "Take these locks in the same order everywhere, and write the order down where they are declared.",
                        "Call no foreign code (listeners, binder, class loading) while holding a lock.",
                        "Where no order can be kept, try for the second lock with a timeout and release the first.");
            case GC_BLOCKED_BY_CRITICAL ->
                List.of(
                        "Keep JNI critical sections (GetPrimitiveArrayCritical, GetStringCritical) to microseconds: in one,"
                                + " neither sleep nor take a lock nor do I/O.",
                        "Better have none: copy the region (Get<Type>ArrayRegion), or use a direct buffer, which is never moved.");
            case GC_BLOCKED ->
                List.of(
                        "Make less garbage before this moment: an allocation profile shows which code does. Reuse buffers, and"
                                + " box nothing in loops.",
                        "Ask for no collection (System.gc), and give the heap room, so that collections are rarer.");
            case SAFEPOINT_BLOCKED ->
                List.of(
                        "Find out why that thread suspends others: mostly to walk their stacks, for a watchdog, a profiler, a crash report or a test.",
                        "Make it suspend less often, or not the threads that must not wait.");
            case PRIORITY_INVERSION ->
                List.of(
                        "Share no lock between this thread and less important ones: hand the data over, as a message or as an"
                                + " immutable snapshot.",
                        "If the lock is that of a message queue, replace the queue with one that needs no lock.",
                        "Else raise the owner's priority before it takes the lock and lower it afterwards. Java's monitors have no priority inheritance; PI mutexes do, but only real-time priorities are inherited, not nice values.",
                        "Do less under the lock: the shorter it is held, the rarer its owner is preempted with it.");
            case LOCK_CONVOY ->
                List.of(
                        "Take the lock less often: do several things under it at once, or none that can be done without.",
                        "Split the lock by what it guards, or use a structure that needs none for this, such as"
                                + " ConcurrentHashMap or a lock-free queue.",
                        "If it is a fair lock, make it unfair: a fair one costs a context switch per waiter.");
            case PREEMPTED_OWNER ->
                List.of(
                        "Find out why there was more work than CPU time: look at the threads that preempted it, and postpone what can wait.",
                        "Hold the lock for less time: its owner is then less likely to be preempted with it.",
                        "A higher priority for the owner helps only if the threads that preempted it may wait.");
            case LONG_HOLD ->
                List.of(
                        "Shorten the hold: compute first, then take the lock only to publish the result.",
                        "Move the work out: to a thread that shares no lock with this one.",
                        "Use a finer lock, or let readers read a snapshot without one.");
            case SLEEPING_OWNER ->
                List.of(
                        "Release the lock before waiting: no I/O, no binder call and no other wait while holding it.",
                        "Fetch first and store under the lock afterwards; if two threads may fetch the same, keep a future in"
                                + " place of the value.",
                        "If the wait under the lock cannot go, do not take this lock on a thread that must not wait.");
            case SLOW_REPLY ->
                List.of(
                        "Make the call from another thread, or one-way, and go on without the reply.",
                        "Ask once and keep the answer, or ask for several things in one call.",
                        "If the server is yours, shorten its work: the query shows its slices.");
            case QUEUE_BACKLOG ->
                List.of(
                        "Send less: let a message that waits already stand for the next of its kind.",
                        "Move what takes long off this looper, to a thread of its own.",
                        "Cut a long message into pieces that let others in between.");
            case NO_CPU ->
                List.of(
                        "Look at the threads that preempted it, and postpone what can wait; keep pools no larger than the number of CPUs.",
                        "Give background threads a worse priority. Raise this thread's only if other threads wait for it.");
            case BLOCKING_IO ->
                List.of(
                        "Do no I/O on this thread, and call nothing else that sleeps inside the kernel: do so on another and post"
                                + " the result.",
                        "If it was a page fault (of code, or of a mapped file), touch the pages earlier, or have fewer of them.");
            case STOPPED ->
                List.of(
                        "Find out what stops it: kill -STOP, Ctrl-Z in a shell, a breakpoint, or a tool that looks into it (a debugger,"
                                + " strace, jstack -F, a dump after a crash).",
                        "Record again without that: what happened meanwhile says nothing of the program.");
            case UNKNOWN ->
                List.of(
                        "Record again with the scheduler's events (sched_switch, sched_waking) and the category dalvik, and with"
                                + " a buffer large enough to lose nothing.",
                        "Until then, read the code at the two places: which code takes this lock, and for how long?");
        };
    }

    private static String template(Verdict verdict) {
        return switch (verdict) {
            case DEADLOCK, LOCK_CONVOY -> WAITS;
            case GC_BLOCKED_BY_CRITICAL, GC_BLOCKED, SAFEPOINT_BLOCKED -> COLLECTION;
            case PRIORITY_INVERSION, PREEMPTED_OWNER -> RAN_MEANWHILE;
            case LONG_HOLD, SLOW_REPLY -> SLICES;
            case SLEEPING_OWNER -> STATES;
            case QUEUE_BACKLOG -> SLICES.replace("{blamed}", "{thread}");
            case NO_CPU -> RAN_MEANWHILE.replace("{blamed}", "{thread}");
            case BLOCKING_IO, UNKNOWN -> STATES.replace("{blamed}", "{thread}");
            case STOPPED -> HALTED;
        };
    }

    /**
     * The query with its gaps filled.
     *
     * @param incident what to show
     * @return SQL; the gaps take numbers only, so nothing that a trace holds becomes part of it
     */
    public String queryFor(Incident incident) {
        Wait wait = incident.rootWait();
        return query.replace(
                        "{blamed}",
                        Integer.toString(
                                incident.rootCause().responsibleThread().tid()))
                .replace("{thread}", Integer.toString(wait.thread().tid()))
                .replace("{from}", Long.toString(wait.startNs()))
                .replace("{to}", Long.toString(wait.endNs()));
    }
}
