package dev.unjank.trace.build.tracker;

import dev.unjank.trace.build.event.EventKind;
import dev.unjank.trace.collections.BlockPool;
import dev.unjank.trace.collections.FilledArrays;
import dev.unjank.trace.collections.GroupedRows;
import dev.unjank.trace.collections.IntList;
import dev.unjank.trace.collections.IntPair;
import dev.unjank.trace.model.CpuRuns;
import dev.unjank.trace.model.IntColumn;
import dev.unjank.trace.model.LongColumn;
import dev.unjank.trace.model.SchedState;
import dev.unjank.trace.model.ShortColumn;
import dev.unjank.trace.model.Strings;
import dev.unjank.trace.model.ThreadStateBits;
import dev.unjank.trace.model.ThreadStates;
import dev.unjank.trace.model.Threads;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Turns switches and wakeups, in time order, into the rows of {@link ThreadStates} and {@link CpuRuns}.
 *
 * <p>They come in batches of three longs each: the time, two threads or a thread and a string, and the header of the
 * event. The ids of threads and strings are final, and so is the {@linkplain SwitchEvent#resolved state}:
 *
 * <pre>
 * SWITCH           previous thread | next thread
 * COMPACT_SWITCH   -1 | next thread: the previous thread is unknown
 * WAKING, WAKEUP   thread | waker, -1 if unknown; Perfetto's trace processor ignores a WAKEUP
 * TASK_NEW         thread | creator
 * BLOCKED_REASON   thread | blocked function
 * </pre>
 */
public final class ThreadStateTracker {
    private static final int NONE = -1;

    /**
     * In place of a thread's last sleep: the thread was put on its CPU out of that sleep, and its waker is not known
     * yet.
     */
    private static final int WOKEN_BEFORE_RUN = -2;

    /** The maximum time between announcing a sleep and leaving the CPU. In real traces it is at most 0.08 ms. */
    private static final long MAX_SLEEP_ENTRY_NS = 100_000;

    /** The states that a wakeup ends. */
    private static final Set<SchedState> ENDED_BY_WAKING = Collections.unmodifiableSet(
            EnumSet.of(SchedState.SLEEPING, SchedState.UNINTERRUPTIBLE, SchedState.KILLABLE, SchedState.IDLE));

    // Words of a thread's state: the time; waker | info.
    private static final int TIME = 0;
    private static final int WAKER_AND_INFO = 1;
    private static final int STATE_BITS = 1;

    // Words of a CPU's run: the time; utid | priority.
    private static final int RUN_TIME = 0;
    private static final int UTID_AND_PRIORITY = 1;
    private static final int RUN_BITS = 1;

    /** The states of each thread. */
    private final GroupedRows states;

    /** The runs of each CPU. */
    private final GroupedRows runs;

    /** States with a blocked function, and the functions, in order of arrival. */
    private final IntList blockedStates = new IntList();

    private final IntList blockedFunctions = new IntList();

    // Per thread: its last sleep since it ran, or WOKEN_BEFORE_RUN; the info of its last state, without facts that
    // are recorded later.
    private int[] lastSleeps = FilledArrays.of(256, NONE);
    private int[] lastInfos = new int[256];

    // Per thread: its last wakeup while it was running, since it was put on its CPU, and the waker.
    private long[] earlyTimes = {};
    private int[] earlyWakers = {};

    // Per thread: the sleep that its run ended without a wakeup; the number of its sleeps with a wakeup.
    private int[] sleepsBeforeRun = new int[256];
    private int[] wokenCounts = new int[256];

    /** Sleeps that ended without a wakeup, the runs that followed, and their threads. */
    private final IntList unwokenSleeps = new IntList();

    private final IntList unwokenRuns = new IntList();

    private final IntList sleepers = new IntList();

    private int ignoredWakeups;
    private int cpus;

    /** The result of finish(). */
    private @Nullable CpuRuns cpuRuns;

    /** Which wakeups a recording has. */
    @FunctionalInterface
    public interface WakeupsRecorded {
        /** Whether it has all wakeups of a thread at a time. */
        boolean allOf(int utid, long ts);
    }

    ThreadStateTracker(BlockPool pool) {
        states = new GroupedRows(pool, STATE_BITS);
        runs = new GroupedRows(pool, RUN_BITS);
    }

    /** Applies a batch of operations. */
    void apply(long[] batch, int length) {
        for (int i = 0; i < length; i += SchedOperation.WORDS) {
            long ts = SchedOperation.ts(batch, i);
            int first = SchedOperation.first(batch, i);
            int second = SchedOperation.second(batch, i);
            long header = SchedOperation.header(batch, i);
            switch (EventKind.of(header)) {
                case EventKind.SWITCH ->
                    switched(
                            ts,
                            SchedOperation.cpu(header),
                            first,
                            SchedOperation.state(header),
                            SchedOperation.firstPriority(header),
                            second,
                            SchedOperation.secondPriority(header));
                case EventKind.COMPACT_SWITCH ->
                    run(ts, SchedOperation.cpu(header), second, SchedOperation.secondPriority(header));
                case EventKind.WAKING -> woken(ts, first, second, SchedOperation.firstPriority(header), false);
                case EventKind.WAKEUP -> woken(ts, first, second, SchedOperation.firstPriority(header), true);
                case EventKind.TASK_NEW ->
                    open(ts, first, SchedState.RUNNABLE, NONE, ThreadStateBits.NO_PRIORITY, second);
                default -> blocked(first, SchedOperation.isIoWait(header), second);
            }
        }
    }

    private void switched(long ts, int cpu, int prev, SchedState state, int prevPriority, int next, int nextPriority) {
        int last = states.last(prev);
        if (last >= 0 && ThreadStateBits.state(lastInfos[prev]) != SchedState.RUNNING) {
            // According to the trace it was not running: the switch that put it on the CPU was lost.
            info(last, ThreadStateBits.withLossAfter(info(last)));
            forgetEarlyWakeup(prev);
        }
        open(ts, prev, state, cpu, prevPriority, NONE);
        if (prev < earlyTimes.length && earlyTimes[prev] == ts && ENDED_BY_WAKING.contains(state)) {
            openIgnored(ts, prev, cpu, prevPriority, earlyWakers[prev]);
        }
        applyEarlyWakeup(next);
        if (states.last(next) >= 0 && ThreadStateBits.state(lastInfos[next]) == SchedState.RUNNING) {
            doubtLast(next); // the switch that put it off its CPU was lost
        }
        open(ts, next, SchedState.RUNNING, cpu, nextPriority, NONE);
        run(ts, cpu, next, nextPriority);
    }

    /**
     * A thread is put on a CPU. The kernel records wakeups only of threads that have announced a sleep and have not
     * been woken yet. If a wakeup came between the announcement and the sleep, and none since, it ended the sleep as
     * it began.
     */
    private void applyEarlyWakeup(int utid) {
        if (utid >= earlyTimes.length || earlyTimes[utid] == NONE) {
            return;
        }
        if (isAsleep(utid)) {
            int info = lastInfos[utid];
            long asleep = states.get(states.last(utid), TIME);
            if (asleep - earlyTimes[utid] <= MAX_SLEEP_ENTRY_NS) {
                openIgnored(asleep, utid, ThreadStateBits.cpu(info), ThreadStateBits.priority(info), earlyWakers[utid]);
            }
        }
        forgetEarlyWakeup(utid);
    }

    private boolean isAsleep(int utid) {
        return states.last(utid) >= 0 && ENDED_BY_WAKING.contains(ThreadStateBits.state(lastInfos[utid]));
    }

    private void forgetEarlyWakeup(int utid) {
        if (utid < earlyTimes.length) {
            earlyTimes[utid] = NONE;
        }
    }

    private void run(long ts, int cpu, int next, int priority) {
        cpus = Math.max(cpus, cpu + 1);
        runs.set(runs.add(cpu), ts, IntPair.pack(next, ThreadStateBits.validPriority(priority)));
    }

    /**
     * A thread was made runnable. One that was not sleeping keeps its state: it had announced a sleep, and may
     * continue without it. Events of other CPUs at the same time count in a fixed order, independent of the order of
     * the logs: the switch to sleep is before the wakeup, and the switch out of a sleep is after it.
     */
    private void woken(long ts, int utid, int waker, int priority, boolean isUnseen) {
        if (utid == Threads.IDLE) {
            return;
        }
        int cpu = NONE;
        if (states.last(utid) >= 0) {
            int info = lastInfos[utid];
            SchedState state = ThreadStateBits.state(info);
            if (state == SchedState.RUNNING) {
                if (lastSleeps[utid] == WOKEN_BEFORE_RUN && states.get(states.last(utid), TIME) == ts) {
                    openBeforeRun(ts, utid, waker);
                } else {
                    rememberEarlyWakeup(ts, utid, waker);
                }
                return;
            } else if (state == SchedState.RUNNABLE) {
                if (lastSleeps[utid] >= 0) {
                    doubtLast(utid); // it was woken already, so it ran and slept meanwhile
                }
                return;
            }
            cpu = ThreadStateBits.cpu(info);
        }
        if (isUnseen) {
            openIgnored(ts, utid, cpu, priority, waker);
        } else {
            open(ts, utid, SchedState.RUNNABLE, cpu, priority, waker);
        }
    }

    private void rememberEarlyWakeup(long ts, int utid, int waker) {
        if (utid >= earlyTimes.length) {
            int from = earlyTimes.length;
            earlyTimes = Arrays.copyOf(earlyTimes, Math.max(utid + 1, from * 2));
            Arrays.fill(earlyTimes, from, earlyTimes.length, NONE);
            earlyWakers = Arrays.copyOf(earlyWakers, earlyTimes.length);
        }
        earlyTimes[utid] = ts;
        earlyWakers[utid] = waker;
    }

    /** The reason for a thread's sleep, recorded after it woke. */
    private void blocked(int utid, boolean ioWait, int function) {
        int state = utid < lastSleeps.length ? lastSleeps[utid] : NONE;
        if (state < 0) {
            return;
        }
        info(state, ThreadStateBits.withReason(info(state), ioWait));
        if (function >= 0) {
            blockedStates.add(state);
            blockedFunctions.add(function);
        }
    }

    /** The start of a thread's last state; {@link Long#MIN_VALUE} if it has none. */
    long lastChange(int utid) {
        int last = states.last(utid);
        return last < 0 ? Long.MIN_VALUE : states.get(last, TIME);
    }

    /** The time of a thread's first state, {@link Long#MAX_VALUE} if it has none. */
    long firstChange(int utid) {
        int first = states.firstRun(utid);
        return first < 0 ? Long.MAX_VALUE : states.get(states.start(first), TIME);
    }

    private void doubtLast(int utid) {
        doubt(states.last(utid));
    }

    private void doubt(int state) {
        info(state, ThreadStateBits.withDoubt(info(state)));
    }

    /** The last sleep of a thread, if its run ended it and no wakeup has come. */
    private void addUnwokenSleep(int utid) {
        if (lastSleeps[utid] == WOKEN_BEFORE_RUN) {
            unwokenSleeps.add(sleepsBeforeRun[utid]);
            unwokenRuns.add(states.last(utid));
            sleepers.add(utid);
        }
    }

    /**
     * Sleeps whose wakeup was lost: other sleeps of the same thread mostly have one, so they are recorded, unless the
     * recording has only some of the thread's wakeups.
     */
    private void markUnwokenSleeps(WakeupsRecorded recorded) {
        for (int utid = 0; utid < lastSleeps.length; utid++) {
            addUnwokenSleep(utid);
        }
        int[] counts = new int[lastSleeps.length];
        BitSet lacking = new BitSet(unwokenSleeps.size());
        for (int i = 0; i < unwokenSleeps.size(); i++) {
            int utid = sleepers.get(i);
            if (recorded.allOf(utid, states.get(unwokenSleeps.get(i), TIME))
                    && recorded.allOf(utid, states.get(unwokenRuns.get(i), TIME))) {
                lacking.set(i);
                counts[utid]++;
            }
        }
        lacking.stream()
                .filter(i -> counts[sleepers.get(i)] < wokenCounts[sleepers.get(i)])
                .forEach(i -> doubt(unwokenSleeps.get(i)));
    }

    private int info(int state) {
        return IntPair.low(states.get(state, WAKER_AND_INFO));
    }

    private void info(int state, int info) {
        int waker = IntPair.high(states.get(state, WAKER_AND_INFO));
        states.set(state, WAKER_AND_INFO, IntPair.pack(waker, info));
    }

    private void open(long ts, int utid, SchedState state, int cpu, int priority, int waker) {
        if (utid == Threads.IDLE) {
            return;
        }
        if (utid >= lastSleeps.length) {
            lastSleeps = FilledArrays.grown(lastSleeps, Math.max(utid + 1, lastSleeps.length * 2), NONE);
            lastInfos = Arrays.copyOf(lastInfos, lastSleeps.length);
            sleepsBeforeRun = Arrays.copyOf(sleepsBeforeRun, lastSleeps.length);
            wokenCounts = Arrays.copyOf(wokenCounts, lastSleeps.length);
        }
        addUnwokenSleep(utid);
        boolean slept = state == SchedState.RUNNING && isAsleep(utid);
        if (slept) {
            sleepsBeforeRun[utid] = states.last(utid);
        } else if (state == SchedState.RUNNABLE && isAsleep(utid)) {
            wokenCounts[utid]++;
        }
        int row = states.add(utid);
        int info = ThreadStateBits.of(state, cpu, priority);
        lastInfos[utid] = info;
        states.set(row, ts, IntPair.pack(waker, info));
        if (state == SchedState.RUNNING) {
            lastSleeps[utid] = slept ? WOKEN_BEFORE_RUN : NONE;
        } else if (state != SchedState.RUNNABLE) {
            lastSleeps[utid] = row;
        }
    }

    /** Opens a state that Perfetto's trace processor does not have: there the previous one continues. */
    private void openIgnored(long ts, int utid, int cpu, int priority, int waker) {
        open(ts, utid, SchedState.RUNNABLE, cpu, priority, waker);
        int last = states.last(utid);
        info(last, ThreadStateBits.withIgnoredByTraceProcessor(info(last)));
        ignoredWakeups++;
    }

    /** Opens a state that the trace processor does not have, before the run that began at the same time. */
    private void openBeforeRun(long ts, int utid, int waker) {
        int run = lastInfos[utid];
        int info = ThreadStateBits.of(SchedState.RUNNABLE, ThreadStateBits.cpu(run), ThreadStateBits.priority(run));
        states.set(states.last(utid), ts, IntPair.pack(waker, ThreadStateBits.withIgnoredByTraceProcessor(info)));
        ignoredWakeups++;
        lastInfos[utid] = info;
        lastSleeps[utid] = NONE;
        wokenCounts[utid]++;
        open(ts, utid, SchedState.RUNNING, ThreadStateBits.cpu(run), ThreadStateBits.priority(run), NONE);
    }

    /**
     * Builds the table of states.
     *
     * @param threadEnds the ends of threads
     * @param recorded which wakeups the recording has
     */
    public ThreadStates threadStates(Strings strings, long[] threadEnds, long traceEnd, WakeupsRecorded recorded) {
        int threads = threadEnds.length;
        long[] ends = new long[threads];
        for (int utid = 0; utid < threads; utid++) {
            int last = states.last(utid);
            if (last >= 0) {
                info(last, ThreadStateBits.withLast(info(last)));
                // A thread may be reported dead before it is switched out for the last time.
                ends[utid] = Math.max(states.get(last, TIME), Math.min(threadEnds[utid], traceEnd));
            }
        }
        markUnwokenSleeps(recorded);
        int[] firsts = states.settle(threads);
        int rows = firsts[threads];
        LongColumn.Filler times = new LongColumn.Filler(rows);
        IntColumn.Filler infos = new IntColumn.Filler(rows);
        IntColumn.Filler wakers = new IntColumn.Filler(rows);
        long[] read = states.arrayForRun();
        for (int utid = 0; utid < threads; utid++) {
            for (int run = states.firstRun(utid); run != GroupedRows.NONE; run = states.nextRun(run)) {
                int words = states.read(run, utid, read) << STATE_BITS;
                for (int at = 0; at < words; at += 1 << STATE_BITS) {
                    long wakerAndInfo = read[at + WAKER_AND_INFO];
                    times.add(read[at + TIME]);
                    infos.add(IntPair.low(wakerAndInfo));
                    wakers.add(IntPair.high(wakerAndInfo));
                }
            }
        }
        ThreadStates.Columns columns = new ThreadStates.Columns(times.column(), infos.column(), wakers.column());
        long[] blocked = blockedRows();
        ThreadStates table = new ThreadStates(
                strings,
                firsts,
                columns,
                ignoredWakeups,
                ends,
                Arrays.stream(blocked).mapToInt(IntPair::high).toArray(),
                Arrays.stream(blocked)
                        .mapToInt(note -> blockedFunctions.get(IntPair.low(note)))
                        .toArray());
        states.release();
        return table;
    }

    /** The final rows of states with a blocked function, ascending, each with the index of its function. */
    private long[] blockedRows() {
        long[] rows = new long[blockedStates.size()];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = IntPair.pack(states.row(blockedStates.get(i)), i);
        }
        Arrays.sort(rows);
        return rows;
    }

    /** The runs of each CPU, once finished. */
    public CpuRuns runs() {
        if (cpuRuns == null) {
            throw new IllegalStateException("not finished");
        }
        return cpuRuns;
    }

    /** Builds the table of CPU runs, which needs no further events. */
    void finish(long traceEnd) {
        int[] firsts = runs.settle(cpus);
        int rows = firsts[cpus];
        LongColumn.Filler times = new LongColumn.Filler(rows);
        IntColumn.Filler utids = new IntColumn.Filler(rows);
        ShortColumn.Filler priorities = new ShortColumn.Filler(rows);
        long[] read = runs.arrayForRun();
        for (int cpu = 0; cpu < cpus; cpu++) {
            for (int run = runs.firstRun(cpu); run != GroupedRows.NONE; run = runs.nextRun(run)) {
                int words = runs.read(run, cpu, read) << RUN_BITS;
                for (int at = 0; at < words; at += 1 << RUN_BITS) {
                    long utidAndPriority = read[at + UTID_AND_PRIORITY];
                    times.add(read[at + RUN_TIME]);
                    utids.add(IntPair.high(utidAndPriority));
                    priorities.add((short) utidAndPriority);
                }
            }
        }
        runs.release();
        cpuRuns =
                new CpuRuns(firsts, new CpuRuns.Columns(times.column(), utids.column(), priorities.column()), traceEnd);
    }
}
