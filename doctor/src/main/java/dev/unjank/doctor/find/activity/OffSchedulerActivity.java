package dev.unjank.doctor.find.activity;

import dev.unjank.doctor.model.OwnerState;
import dev.unjank.doctor.model.Segment;
import dev.unjank.doctor.model.ThreadRef;
import dev.unjank.trace.model.Callstacks;
import dev.unjank.trace.model.Processes;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.StackSamples;
import dev.unjank.trace.model.Threads;
import dev.unjank.trace.model.Trace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * What a thread did where the scheduler does not tell, as in any recording of a Java virtual machine. In this order, each for
 * what the ones before leave open:
 *
 * <ol>
 *   <li>pauses of the garbage collector, and other safepoints, which stop every thread of the process;
 *   <li>in a Java virtual machine, the thread's own slices of categories that mean waiting: parked, in {@code Object.wait}, asleep, in a call for I/O;
 *   <li>a profiler's samples that found the thread running. A sample stands for half a period before and after it, and what
 *       lies between two that follow one another closely belongs to them as well: that is an estimate, good to about a
 *       period at each end.
 * </ol>
 *
 * <p>The rest is unknown. That a thread was not sampled says nothing: a profiler looks at a few threads at a time.
 */
public final class OffSchedulerActivity {
    /** Profilers are asked for periods between these. */
    private static final long SHORTEST_PERIOD_NS = 1_000_000;

    private static final long LONGEST_PERIOD_NS = 50_000_000;

    private final Slices slices;
    private final Threads threads;
    private final Processes processes;
    private final StackSamples samples;
    private final Callstacks calls;
    private final long periodNs;
    private final IntFunction<ActivityInterval[]> pausesOfProcess;
    private final Map<Integer, ActivityInterval[]> sleeps = new ConcurrentHashMap<>();
    private final Map<Integer, ActivityInterval[]> running = new ConcurrentHashMap<>();

    /** Activity in a trace; {@code pausesOfProcess} gives the GC and safepoint pauses of a process by its upid. */
    public OffSchedulerActivity(Trace trace, IntFunction<ActivityInterval[]> pausesOfProcess) {
        this.pausesOfProcess = pausesOfProcess;
        slices = trace.slices();
        threads = trace.threads();
        processes = trace.processes();
        samples = trace.samples();
        calls = trace.callstacks();
        periodNs = period();
    }

    /** Splits a stretch of time by what the thread did. */
    public void split(ThreadRef thread, long from, long to, List<Segment> parts) {
        int utid = thread.utid();
        int upid = threads.upid(utid);
        ActivityInterval[] stopped = upid < 0 ? ActivityInterval.NONE : pausesOfProcess.apply(upid);
        ActivityInterval[] sampled = running.computeIfAbsent(utid, this::findRunning);
        split(thread, from, to, List.of(stopped, sleeps(utid), sampled), parts);
    }

    /** Splits a stretch of time of somebody of whom nothing is known but the process, which may have been stopped. */
    public void splitUnknownThread(ThreadRef somebody, int upid, long from, long to, List<Segment> parts) {
        ActivityInterval[] stopped = upid < 0 ? ActivityInterval.NONE : pausesOfProcess.apply(upid);
        split(somebody, from, to, List.<ActivityInterval[]>of(stopped), parts);
    }

    /** Whether a thread is known to have had nothing to do throughout a stretch of time. */
    public boolean isIdle(int utid, long from, long to) {
        ActivityInterval[] spans = sleeps(utid);
        int i = ActivityInterval.firstEndingAfter(spans, from);
        return i < spans.length && spans[i].from() <= from && spans[i].to() >= to;
    }

    /** Whether a thread tells of anything but idling in a stretch of time, or was found running. */
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

    /** The times in which a thread waited for something else than a lock; known of a Java virtual machine's. */
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
        ActivityInterval[] spans = sources.getFirst();
        List<ActivityInterval[]> others = sources.subList(1, sources.size());
        long at = from;
        for (int i = ActivityInterval.firstEndingAfter(spans, from); i < spans.length && spans[i].from() < to; i++) {
            long start = Math.max(at, spans[i].from());
            long end = Math.min(to, spans[i].to());
            if (start < end) {
                split(thread, at, start, others, parts);
                parts.add(leaf(spans[i].state(), start, end, thread, spans[i].detail()));
                at = end;
            }
        }
        split(thread, at, to, others, parts);
    }

    private static Segment leaf(OwnerState state, long from, long to, ThreadRef thread, @Nullable String detail) {
        return new Segment(state, from, to - from, thread, detail, List.of(), List.of(), null);
    }

    /** What a slice's category says of a thread that does nothing; unknown for any other. */
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
        List<ActivityInterval> disjoint = new ArrayList<>();
        ActivityInterval.addDisjoint(found, ActivityInterval.NONE, disjoint);
        return disjoint.toArray(ActivityInterval.NONE);
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
            String function = samples.callstack(row) < 0 ? "unknown code" : calls.name(samples.callstack(row));
            found.add(new ActivityInterval(from, ts + periodNs / 2, OwnerState.RUNNING, function));
            last = row;
        }
        List<ActivityInterval> disjoint = new ArrayList<>();
        ActivityInterval.addDisjoint(found, ActivityInterval.NONE, disjoint);
        return disjoint.toArray(ActivityInterval.NONE);
    }

    /** How often threads are sampled: a busy one's samples are a period apart, and all others are further. */
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
