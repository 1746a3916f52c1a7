package dev.unjank.doctor.find.wait;

import dev.unjank.trace.model.SchedState;
import dev.unjank.trace.model.ThreadStates;
import dev.unjank.trace.model.Threads;
import dev.unjank.trace.model.Trace;

/** The wake-up at the end of a wait by the scheduler's events: its time and its waker. */
public final class WakeUps {
    private final ThreadStates states;
    private final Threads threads;

    public WakeUps(Trace trace) {
        this.states = trace.threadStates();
        this.threads = trace.threads();
    }

    /** {@return the last wake-up of a thread in an interval, ns; {@code to} if it did not sleep, or still slept} */
    public long lastWakeUp(int utid, long from, long to) {
        int row = Math.min(rowAt(utid, to), states.end(utid) - 1);
        for (; row > states.first(utid) && states.ts(row) > from; row--) {
            if (states.ts(row) < to && isSleep(states.state(row))) {
                return to;
            }
            if (states.ts(row) < to && isAwake(states.state(row)) && isSleep(states.state(row - 1))) {
                return states.ts(row);
            }
        }
        return to;
    }

    /** {@return the utid of the last waker of a thread in an interval; -1 if unknown or an interrupt} */
    public int lastWaker(int utid, long from, long to) {
        int row = Math.min(rowAt(utid, to), states.end(utid) - 1);
        for (; row >= states.first(utid) && states.ts(row) >= from; row--) {
            int waker = states.ts(row) <= to && states.state(row) == SchedState.RUNNABLE ? states.waker(row) : -1;
            if (waker >= 0) {
                return waker == Threads.IDLE || waker == utid ? -1 : waker;
            }
        }
        return -1;
    }

    /** {@return {@link #lastWaker} if it is a thread of the same process, -1 otherwise} */
    public int lastWakerInProcess(int utid, long from, long to) {
        int waker = lastWaker(utid, from, to);
        return waker >= 0 && mayShareProcess(waker, utid) ? waker : -1;
    }

    /** {@return whether two threads are of one process, or that is unknown} */
    public boolean mayShareProcess(int a, int b) {
        int upid = threads.upid(a);
        return upid < 0 || threads.upid(b) < 0 || upid == threads.upid(b);
    }

    /** The last row that began by a time; the one before the first if there is none. */
    private int rowAt(int utid, long ts) {
        int row = states.at(utid, ts);
        if (row >= 0) {
            return row;
        }
        return states.first(utid) < states.end(utid) && states.ts(states.first(utid)) <= ts
                ? states.end(utid) - 1
                : states.first(utid) - 1;
    }

    private static boolean isAwake(SchedState state) {
        return state.isRunnable() || state == SchedState.RUNNING;
    }

    private static boolean isSleep(SchedState state) {
        return !isAwake(state) && state != SchedState.UNKNOWN;
    }
}
