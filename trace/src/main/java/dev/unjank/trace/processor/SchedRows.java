package dev.unjank.trace.processor;

import static dev.unjank.trace.processor.ProcessorTable.NULL;

import dev.unjank.trace.collections.StringPool;
import java.util.Arrays;

/** Runs of threads on CPUs, states of threads, and wakeups of threads that do not sleep. */
final class SchedRows {
    private static final int DUR = 2;
    private static final int END_STATE = 5;
    private static final int STATE = 5;
    private static final int IO_WAIT = 6;
    private static final int BLOCKED_FUNCTION = 7;
    private static final int IRQ_FLAGS = 0x08 | 0x10;
    private static final int NONE = -1;

    final ProcessorTable runs = new ProcessorTable(
            "sched", "id INT, ts INT, dur INT, cpu INT, utid INT, end_state TEXT, priority INT, ucpu INT, ts_end INT");
    final ProcessorTable states = new ProcessorTable(
            "thread_state",
            "id INT, ts INT, dur INT, cpu INT, utid INT, state TEXT, io_wait INT, blocked_function TEXT, waker_utid INT,"
                    + " waker_id INT, irq_context INT, ucpu INT");
    final ProcessorTable spurious = new ProcessorTable(
            "spurious_sched_wakeup", "id INT, ts INT, thread_state_id INT, irq_context INT, utid INT, waker_utid INT");

    private final int running;
    private final int runnable;

    /** By utid: the last state and the last blocked one, plus one. */
    private int[] lastStates = new int[1024];

    private int[] lastBlocked = new int[1024];

    SchedRows(StringPool strings) {
        running = strings.intern("Running");
        runnable = strings.intern("R");
    }

    int start(long ts, int cpu, int utid, long priority) {
        return runs.add(runs.rows(), ts, -1, cpu, utid, NULL, priority, cpu, ts - 1);
    }

    void end(int run, long ts, int endState) {
        long dur = ts - runs.get(run, 1);
        runs.set(run, DUR, dur);
        runs.set(run, 8, ts);
        runs.set(run, END_STATE, endState < 0 ? NULL : endState);
    }

    void switched(long ts, int cpu, int previous, int previousState, int next) {
        int last = last(previous);
        close(ts, previous, last != NONE && states.get(last, STATE) != running);
        open(ts, previous, previousState, NONE, NONE, NONE);
        close(ts, next, false);
        open(ts, next, running, cpu, NONE, NONE);
    }

    /** A wakeup; {@code flags} is -1 if the event has none. */
    void woken(long ts, int utid, int waker, int flags) {
        int last = last(utid);
        if (last == NONE) {
            open(ts, utid, runnable, NONE, waker, flags);
        } else if (!isBlocked(states.get(last, STATE))) {
            spurious.add(spurious.rows(), ts, last, flags < 0 ? NULL : irqContext(flags), utid, waker);
        } else {
            close(ts, utid, false);
            open(ts, utid, runnable, NONE, waker, flags);
        }
    }

    void created(long ts, int utid, int creator) {
        open(ts, utid, runnable, NONE, creator, 0);
    }

    /** What a blocked thread waits for; -1 if unknown. */
    void blockedReason(int utid, int ioWait, int function) {
        int blocked = utid < lastBlocked.length ? lastBlocked[utid] - 1 : NONE;
        if (blocked != NONE) {
            if (ioWait >= 0) {
                states.set(blocked, IO_WAIT, ioWait);
            }
            if (function >= 0) {
                states.set(blocked, BLOCKED_FUNCTION, function);
            }
        }
    }

    private int last(int utid) {
        return utid < lastStates.length ? lastStates[utid] - 1 : NONE;
    }

    private boolean isBlocked(long state) {
        return state != running && state != runnable;
    }

    private void open(long ts, int utid, int state, int cpu, int waker, int flags) {
        if (utid == 0) {
            return;
        }
        long wakerState = NULL;
        if (waker >= 0) {
            int last = last(waker);
            wakerState = last != NONE && states.get(last, STATE) == running ? last : NULL;
        }
        int row = states.add(
                states.rows(),
                ts,
                -1,
                cpu < 0 ? NULL : cpu,
                utid,
                state < 0 ? NULL : state,
                NULL,
                NULL,
                waker < 0 ? NULL : waker,
                wakerState,
                flags < 0 ? NULL : irqContext(flags),
                cpu < 0 ? NULL : cpu);
        if (utid >= lastStates.length) {
            lastStates = Arrays.copyOf(lastStates, utid * 2);
            lastBlocked = Arrays.copyOf(lastBlocked, utid * 2);
        }
        lastStates[utid] = row + 1;
        if (state == running) {
            lastBlocked[utid] = 0;
        } else if (isBlocked(state)) {
            lastBlocked[utid] = row + 1;
        }
    }

    private void close(long ts, int utid, boolean lost) {
        int last = last(utid);
        if (last != NONE && !lost) {
            states.set(last, DUR, ts - states.get(last, 1));
        }
    }

    private static int irqContext(int flags) {
        return (flags & IRQ_FLAGS) != 0 ? 1 : 0;
    }
}
