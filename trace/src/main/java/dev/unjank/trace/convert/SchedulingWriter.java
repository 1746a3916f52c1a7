package dev.unjank.trace.convert;

import dev.unjank.trace.model.Counters;
import dev.unjank.trace.model.CpuRuns;
import dev.unjank.trace.model.DataLoss;
import dev.unjank.trace.model.InheritedPriorities;
import dev.unjank.trace.model.SchedState;
import dev.unjank.trace.model.ThreadStates;
import dev.unjank.trace.model.Threads;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.write.FtraceCpuWriter;
import dev.unjank.trace.write.KernelEvent;
import dev.unjank.trace.write.PrevState;
import dev.unjank.trace.write.Task;
import dev.unjank.trace.write.TraceWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Writes thread states and CPU runs as kernel events: a switch for each run of a CPU, a waking for each wait that
 * ended, starts and ends of threads, priority inheritance, CPU frequencies, and data losses. The events of a CPU are
 * sorted by time; at equal times a waking precedes a switch, unless the wait that it ends began at that time.
 */
final class SchedulingWriter {
    private static final long UNKNOWN_STATE = 0x2000;
    private static final long KILLABLE = 0x82;

    // The order of events at equal times.
    private static final int BEGINS = 0;
    private static final int WAKES = 1;
    private static final int SWITCHES = 2;
    private static final int WAKES_AT_ONCE = 3;
    private static final int ENDS = 4;

    private final Threads threads;
    private final ThreadStates states;
    private final CpuRuns runs;
    private final InheritedPriorities inheritance;
    private final Counters counters;
    private final List<DataLoss> losses;
    private final long traceEnd;

    /** By CPU. */
    private final Map<Integer, List<Event>> events = new TreeMap<>();

    /** The thread that preceded the first run of each CPU. */
    private final Map<Integer, Integer> before = new HashMap<>();

    /** Writes one event. */
    private record Event(long ts, int rank, Writing writing) {}

    @FunctionalInterface
    private interface Writing {
        void write(FtraceCpuWriter to) throws IOException;
    }

    SchedulingWriter(Trace trace) {
        threads = trace.threads();
        states = trace.threadStates();
        runs = trace.cpuRuns();
        inheritance = trace.inheritedPriorities();
        counters = trace.counters();
        losses = trace.dataLosses().stream()
                .filter(loss -> loss.cpu() != DataLoss.ANY_CPU)
                .toList();
        traceEnd = trace.endNs();
    }

    void write(TraceWriter writer) throws IOException {
        for (int utid = 1; utid < threads.size(); utid++) {
            thread(utid);
            inheritance(utid);
        }
        for (int track = 0; track < counters.tracks(); track++) {
            clockRates(track);
        }
        for (int cpu = 0; cpu < runs.cpus(); cpu++) {
            switches(cpu);
        }
        for (DataLoss loss : losses) {
            loss(loss.cpu(), loss.startNs(), "events of this CPU were lost from here");
            loss(loss.cpu(), loss.endNs(), "events of this CPU were lost until here");
        }
        for (Map.Entry<Integer, List<Event>> ofCpu : events.entrySet()) {
            write(writer.cpu(ofCpu.getKey()), ofCpu.getKey(), ofCpu.getValue());
        }
    }

    private void write(FtraceCpuWriter to, int cpu, List<Event> ofCpu) throws IOException {
        Iterator<DataLoss> gaps =
                losses.stream().filter(loss -> loss.cpu() == cpu).iterator();
        DataLoss gap = gaps.hasNext() ? gaps.next() : null;
        ofCpu.sort(Comparator.comparingLong(Event::ts).thenComparingInt(Event::rank));
        long last = Long.MIN_VALUE;
        for (Event event : ofCpu) {
            while (gap != null && gap.endNs() <= last) {
                gap = gaps.hasNext() ? gaps.next() : null;
            }
            if (gap != null && gap.startNs() < event.ts) {
                to.lostEvents();
            }
            event.writing.write(to);
            last = event.ts;
        }
        ofCpu.clear();
    }

    private void add(int cpu, long ts, int rank, Writing writing) {
        events.computeIfAbsent(Math.max(0, cpu), _ -> new ArrayList<>()).add(new Event(ts, rank, writing));
    }

    /** Readers extend a loss from one event of the CPU to the next, so there must be one at each end. */
    private void loss(int cpu, long ts, String text) {
        add(cpu, ts, BEGINS, to -> to.print(ts, 0, text));
    }

    private void switches(int cpu) {
        int first = runs.first(cpu);
        for (int row = first; row < runs.end(cpu); row++) {
            long ts = runs.ts(row);
            int prev = row == first ? before.getOrDefault(cpu, Threads.IDLE) : runs.utid(row - 1);
            int next = runs.utid(row);
            int state = prev == Threads.IDLE ? -1 : rowAt(prev, ts, next == prev);
            Task from = task(prev, cpu, state < 0 ? 120 : states.priority(state));
            long why = state < 0 ? PrevState.RUNNABLE : bits(states.state(state));
            Task to = task(next, cpu, runs.priority(row));
            add(cpu, ts, SWITCHES, cpuOut -> cpuOut.schedSwitch(ts, from, why, to));
        }
    }

    /**
     * Writes priority inheritance: the kernel records changes, so a boost that directly follows another is one
     * change.
     */
    private void inheritance(int utid) {
        for (int row = inheritance.first(utid); row < inheritance.end(utid); row++) {
            boolean follows = row > inheritance.first(utid) && inheritance.endNs(row - 1) == inheritance.ts(row);
            lend(
                    utid,
                    inheritance.ts(row),
                    follows ? inheritance.boostedPriority(row - 1) : inheritance.basePriority(row),
                    inheritance.boostedPriority(row));
            boolean isFollowed = row + 1 < inheritance.end(utid) && inheritance.ts(row + 1) == inheritance.endNs(row);
            if (!isFollowed && inheritance.endNs(row) < traceEnd) {
                lend(utid, inheritance.endNs(row), inheritance.boostedPriority(row), inheritance.basePriority(row));
            }
        }
    }

    private void lend(int utid, long ts, int from, int to) {
        Task task = task(utid, 0, to);
        add(cpuOf(utid, ts), ts, SWITCHES, cpu -> cpu.schedPiSetprio(ts, 0, task, from));
    }

    /** Whether a counter track contains the frequencies of a CPU. */
    static boolean isClockRate(Counters counters, int track) {
        return counters.cpu(track) >= 0 && counters.name(track).equals(Counters.CPU_FREQUENCY);
    }

    private void clockRates(int track) {
        if (!isClockRate(counters, track)) {
            return;
        }
        int cpu = counters.cpu(track);
        for (int row = counters.first(track); row < counters.end(track); row++) {
            long ts = counters.ts(row);
            KernelEvent event = KernelEvent.cpuFrequency(cpu, Math.toIntExact(counters.value(row)));
            add(cpu, ts, BEGINS, to -> event.writeTo(to, ts, 0));
        }
    }

    /** The new state of a thread that left its CPU: the first one that begins then. */
    private int rowAt(int utid, long ts, boolean comesBack) {
        int row = states.at(utid, ts);
        if (row < 0) {
            row = states.end(utid) - 1;
        }
        while (row > states.first(utid) && states.ts(row - 1) == ts && (comesBack || !isRunning(row - 1))) {
            row--;
        }
        return row >= states.first(utid) && states.ts(row) == ts && !isRunning(row) ? row : -1;
    }

    private boolean isRunning(int row) {
        return states.state(row) == SchedState.RUNNING;
    }

    private void thread(int utid) {
        int first = states.first(utid);
        int end = states.end(utid);
        boolean begins =
                first < end && states.state(first) == SchedState.RUNNABLE && states.ts(first) == threads.startNs(utid);
        if (begins) {
            begins(utid, first);
        } else if (first < end && !isRunning(first) && states.cpu(first) >= 0 && states.waker(first) < 0) {
            int cpu = states.cpu(first);
            if (runs.first(cpu) < runs.end(cpu) && runs.ts(runs.first(cpu)) == states.ts(first)) {
                before.put(cpu, utid);
            }
        }
        for (int row = first + (begins ? 1 : 0); row < end; row++) {
            boolean woken = states.state(row) == SchedState.RUNNABLE && (row == first || !isRunning(row - 1));
            if (woken && !(row == first && before.containsValue(utid))) {
                waking(utid, row);
            }
        }
        ends(utid, first, end);
    }

    private void begins(int utid, int row) {
        long ts = states.ts(row);
        int creator = Math.max(0, states.waker(row));
        boolean sameProcess = threads.upid(creator) == threads.upid(utid);
        Task child = task(utid, 0, 0);
        int parent = threads.tid(creator);
        add(cpuOf(creator, ts), ts, BEGINS, to -> to.taskNewtask(ts, parent, child, sameProcess));
    }

    private void ends(int utid, int first, int end) {
        long ts = threads.endNs(utid);
        if (ts == Long.MAX_VALUE) {
            return;
        }
        Task task = task(utid, 0, 120);
        boolean freed = first == end || states.endNs(end - 1) == ts;
        if (freed) {
            add(0, ts, ENDS, to -> to.schedProcessFree(ts, 0, task));
        } else {
            int cpu = states.cpu(end - 1);
            add(cpu, ts, BEGINS, to -> to.schedProcessExit(ts, task, task.tid()));
        }
    }

    private void waking(int utid, int row) {
        long ts = states.ts(row);
        int waker = states.waker(row);
        int cpu = waker >= 0 ? cpuOf(waker, ts) : Math.max(0, states.cpu(row));
        boolean sleeps = row > states.first(utid);
        int rank = sleeps && states.ts(row - 1) == ts ? WAKES_AT_ONCE : WAKES;
        Task woken = task(utid, cpu, states.priority(row));
        int target = Math.max(0, states.cpu(row));
        int by = waker >= 0 ? threads.tid(waker) : 0;
        boolean hasReason = sleeps && states.hasReason(row - 1);
        boolean ioWait = sleeps && states.ioWait(row - 1);
        String function = sleeps ? states.blockedFunction(row - 1) : null;
        add(cpu, ts, rank, to -> {
            if (waker >= 0) {
                to.schedWaking(ts, by, woken, target);
            } else {
                to.schedWakingInIrq(ts, by, woken, target);
            }
            if (hasReason) {
                to.schedBlockedReason(ts, by, woken.tid(), ioWait, function);
            }
        });
    }

    /** The CPU on which a thread runs; 0 if it does not run. */
    private int cpuOf(int utid, long ts) {
        int row = utid == Threads.IDLE ? -1 : states.at(utid, ts);
        return row < 0 ? 0 : Math.max(0, states.cpu(row));
    }

    private Task task(int utid, int cpu, int priority) {
        if (utid == Threads.IDLE) {
            return Task.idle(cpu);
        }
        String name = threads.name(utid);
        return new Task(threads.tid(utid), name == null ? "" : name, priority);
    }

    private static long bits(SchedState state) {
        return switch (state) {
            case RUNNING, RUNNABLE -> PrevState.RUNNABLE;
            case RUNNABLE_PREEMPTED -> PrevState.PREEMPTED;
            case SLEEPING -> PrevState.SLEEPING;
            case UNINTERRUPTIBLE -> PrevState.UNINTERRUPTIBLE;
            case KILLABLE -> KILLABLE;
            case IDLE -> PrevState.IDLE;
            case STOPPED -> PrevState.STOPPED;
            case TRACED -> PrevState.TRACED;
            case DEAD -> PrevState.DEAD;
            case ZOMBIE -> PrevState.ZOMBIE;
            case PARKED -> PrevState.PARKED;
            case UNKNOWN -> UNKNOWN_STATE;
        };
    }
}
