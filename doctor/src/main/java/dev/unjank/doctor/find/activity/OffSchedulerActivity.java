package dev.unjank.doctor.find.activity;

import dev.unjank.doctor.find.thread.JvmThreads;
import dev.unjank.doctor.model.GenericTerm;
import dev.unjank.doctor.model.OwnerState;
import dev.unjank.doctor.model.Segment;
import dev.unjank.doctor.model.ThreadRef;
import dev.unjank.doctor.model.WaitKind;
import dev.unjank.trace.model.Callstacks;
import dev.unjank.trace.model.Processes;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.StackSamples;
import dev.unjank.trace.model.ThreadStates;
import dev.unjank.trace.model.Threads;
import dev.unjank.trace.model.Trace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The states of threads without scheduler events, as in a recording of a Java virtual machine. They are derived from
 * these sources, each for the gaps of those before it:
 *
 * <ol>
 *   <li>GC pauses and other safepoints, which stop all threads of the process;
 *   <li>in a Java virtual machine, the thread's slices of categories that mean waiting: parked, in {@code Object.wait},
 *       sleeping, in a call for I/O;
 *   <li>a profiler's samples of the running thread. A sample covers half a period before and after it, and two close
 *       samples also cover the time between them. This is an estimate with an error of about a period at each end.
 * </ol>
 *
 * <p>The rest is unknown. A thread without samples may have run: a profiler samples a few threads at a time.
 *
 * <p>With scheduler events, a pause explains the sleeps of the threads that it stopped.
 */
public final class OffSchedulerActivity {
    /** The range of sampling periods that profilers use. */
    private static final long SHORTEST_PERIOD_NS = 1_000_000;

    private static final long LONGEST_PERIOD_NS = 50_000_000;

    private final Slices slices;
    private final Threads threads;
    private final Processes processes;
    private final StackSamples samples;
    private final Callstacks calls;
    private final long periodNs;
    private final ThreadStates states;
    private final BitSet vmThreads;
    private final IntFunction<ActivityInterval[]> pausesOfProcess;
    private final Map<Integer, ActivityInterval[]> sleeps = new ConcurrentHashMap<>();
    private final Map<Integer, ActivityInterval[]> running = new ConcurrentHashMap<>();

    /** Reads a trace; {@code pausesOfProcess} returns the GC and safepoint pauses of a process by its upid. */
    public OffSchedulerActivity(Trace trace, IntFunction<ActivityInterval[]> pausesOfProcess) {
        this.pausesOfProcess = pausesOfProcess;
        slices = trace.slices();
        threads = trace.threads();
        processes = trace.processes();
        samples = trace.samples();
        calls = trace.callstacks();
        periodNs = period();
        states = trace.threadStates();
        vmThreads = JvmThreads.activeDuringPause(trace, WaitKind.SAFEPOINT);
    }

    /** {@return the sampling period, ns} */
    public long periodNs() {
        return periodNs;
    }

    /** Splits an interval by the states of a thread. */
    public void split(ThreadRef thread, long from, long to, List<Segment> parts) {
        int utid = thread.utid();
        ActivityInterval[] sampled = running.computeIfAbsent(utid, this::findRunning);
        split(thread, from, to, List.of(pauses(threads.upid(utid)), sleeps(utid), sampled), parts);
    }

    /** Splits an interval by the pauses of a process, for an unknown thread of it. */
    public void splitUnknownThread(ThreadRef thread, int upid, long from, long to, List<Segment> parts) {
        split(thread, from, to, List.<ActivityInterval[]>of(pauses(upid)), parts);
    }

    /**
     * Splits a sleep by the pauses that stopped the thread: it stopped at the safepoint, so that the sleep began in a
     * pause, or it requested the pause, so that the virtual machine's thread woke it. Another sleep is the thread's
     * own.
     *
     * @param row the row of the sleep in the table of thread states
     */
    public void splitSleep(
            ThreadRef thread, int row, long from, long to, @Nullable String detail, List<Segment> parts) {
        ActivityInterval[] pauses = pauses(threads.upid(thread.utid()));
        boolean isStopped = isWithin(pauses, states.ts(row)) || isWokenByVm(thread.utid(), row);
        ActivityInterval[] sleep = {new ActivityInterval(from, to, OwnerState.SLEEPING, detail)};
        split(thread, from, to, isStopped ? List.of(pauses, sleep) : List.<ActivityInterval[]>of(sleep), parts);
    }

    private static boolean isWithin(ActivityInterval[] intervals, long ts) {
        int i = ActivityInterval.firstEndingAfter(intervals, ts);
        return i < intervals.length && intervals[i].from() <= ts;
    }

    private boolean isWokenByVm(int utid, int row) {
        int waker = row + 1 < states.end(utid) ? states.waker(row + 1) : -1;
        return waker >= 0 && vmThreads.get(waker);
    }

    private ActivityInterval[] pauses(int upid) {
        return upid < 0 ? ActivityInterval.NONE : pausesOfProcess.apply(upid);
    }

    /** {@return whether a thread is known to have been idle throughout an interval} */
    public boolean isIdle(int utid, long from, long to) {
        ActivityInterval[] idle = sleeps(utid);
        int i = ActivityInterval.firstEndingAfter(idle, from);
        return i < idle.length && idle[i].from() <= from && idle[i].to() >= to;
    }

    /** {@return whether a thread has a running sample or a slice other than an idle one in an interval} */
    public boolean hasActivity(int utid, long from, long to) {
        ActivityInterval[] sampled = running.computeIfAbsent(utid, this::findRunning);
        int next = ActivityInterval.firstEndingAfter(sampled, from);
        if (next < sampled.length && sampled[next].from() < to) {
            return true;
        }
        for (int row = slices.innermostAt(utid, from); row >= 0; row = slices.parent(row)) {
            if (sleepState(row) == OwnerState.UNKNOWN) {
                return true;
            }
        }
        for (int row = slices.firstAfter(utid, from); row < slices.end(utid) && slices.ts(row) < to; row++) {
            if (sleepState(row) == OwnerState.UNKNOWN) {
                return true;
            }
        }
        return false;
    }

    /** The waits of a thread for something else than a lock; known in a Java virtual machine. */
    private ActivityInterval[] sleeps(int utid) {
        int upid = threads.upid(utid);
        return upid >= 0 && processes.isJvm(upid)
                ? sleeps.computeIfAbsent(utid, this::findIdle)
                : ActivityInterval.NONE;
    }

    private static void split(
            ThreadRef thread, long from, long to, List<ActivityInterval[]> sources, List<Segment> parts) {
        if (from >= to) {
            return;
        }
        if (sources.isEmpty()) {
            parts.add(leaf(OwnerState.UNKNOWN, from, to, thread, null));
            return;
        }
        ActivityInterval[] first = sources.getFirst();
        List<ActivityInterval[]> others = sources.subList(1, sources.size());
        long at = from;
        for (int i = ActivityInterval.firstEndingAfter(first, from); i < first.length && first[i].from() < to; i++) {
            long start = Math.max(at, first[i].from());
            long end = Math.min(to, first[i].to());
            if (start < end) {
                split(thread, at, start, others, parts);
                parts.add(leaf(first[i].state(), start, end, thread, first[i].detail()));
                at = end;
            }
        }
        split(thread, at, to, others, parts);
    }

    private static Segment leaf(OwnerState state, long from, long to, ThreadRef thread, @Nullable String detail) {
        return new Segment(state, from, to - from, thread, detail, List.of(), List.of(), null);
    }

    /** The state of a thread in a slice of an idle category; unknown for other categories. */
    private OwnerState sleepState(int row) {
        return switch (slices.category(row)) {
            case "park", "wait", "sleep" -> OwnerState.SLEEPING;
            case "io" -> OwnerState.IO_WAIT;
            default -> OwnerState.UNKNOWN;
        };
    }

    private ActivityInterval[] findIdle(int utid) {
        List<ActivityInterval> found = new ArrayList<>();
        for (int row = slices.first(utid); row < slices.end(utid); row++) {
            OwnerState state = sleepState(row);
            if (state != OwnerState.UNKNOWN && slices.dur(row) > 0) {
                found.add(new ActivityInterval(slices.ts(row), slices.endNs(row), state, slices.name(row)));
            }
        }
        return ActivityInterval.disjoint(found);
    }

    private ActivityInterval[] findRunning(int utid) {
        List<ActivityInterval> found = new ArrayList<>();
        int last = -1;
        for (int row = samples.first(utid); row < samples.end(utid); row++) {
            if (!samples.isRunning(row)) {
                last = -1;
                continue;
            }
            long ts = samples.ts(row);
            long from = ts - periodNs / 2;
            if (last >= 0 && ts - samples.ts(last) <= 5 * periodNs / 2) {
                from = samples.ts(last) + (ts - samples.ts(last)) / 2;
                ActivityInterval before = found.removeLast();
                found.add(new ActivityInterval(before.from(), from, before.state(), before.detail()));
            }
            String function =
                    samples.callstack(row) < 0 ? GenericTerm.UNKNOWN_CODE.text() : calls.name(samples.callstack(row));
            found.add(new ActivityInterval(from, ts + periodNs / 2, OwnerState.RUNNING, function));
            last = row;
        }
        return ActivityInterval.disjoint(found);
    }

    /** The sampling period: the samples of a busy thread are a period apart, those of others are further. */
    private long period() {
        long[] gaps = new long[samples.size()];
        int count = 0;
        for (int utid = 0; utid < threads.size(); utid++) {
            for (int row = samples.first(utid) + 1; row < samples.end(utid); row++) {
                gaps[count++] = samples.ts(row) - samples.ts(row - 1);
            }
        }
        if (count == 0) {
            return LONGEST_PERIOD_NS;
        }
        Arrays.sort(gaps, 0, count);
        return Math.clamp(gaps[count / 10], SHORTEST_PERIOD_NS, LONGEST_PERIOD_NS);
    }
}
