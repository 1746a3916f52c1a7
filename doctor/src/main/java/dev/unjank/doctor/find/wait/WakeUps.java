package dev.unjank.doctor.find.wait;

import dev.unjank.trace.model.SchedState;
import dev.unjank.trace.model.ThreadStates;
import dev.unjank.trace.model.Threads;
import dev.unjank.trace.model.Trace;

/** What the scheduler says of the end of a wait: when the thread was woken, and by whom. */
public final class WakeUps {
    private final ThreadStates states;
    private final Threads threads;

    public WakeUps(Trace trace) {
        this.states = trace.threadStates();
        this.threads = trace.threads();
    }

    /**
     * Finds the moment at which a thread was woken for the last time.
     *
     * @return the moment, {@code to} if it did not sleep or was not woken in the interval
     */
    public long lastWakeUp(int utid, long from, long to) {
        int row = Math.min(rowAt(utid, to), states.end(utid) - 1);
        for (; row > states.first(utid) && states.ts(row) > from; row--) {
            if (states.ts(row) < to && isAwake(states.state(row)) && isSleep(states.state(row - 1))) {
                return states.ts(row);
            }
        }
        return to;
    }

    /**
     * Finds who woke a thread for the last time in an interval.
     *
     * @return another thread's utid; -1 if the trace does not say
     */
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

    /** As {@link #lastWaker}, if it was a thread of the same process. */
    public int lastWakerInProcess(int utid, long from, long to) {
        int waker = lastWaker(utid, from, to);
        return waker >= 0 && mayShareProcess(waker, utid) ? waker : -1;
    }

    /** Whether two threads are of one process, as far as the trace knows. */
    public boolean mayShareProcess(int a, int b) {
        int upid = threads.upid(a);
        return upid < 0 || threads.upid(b) < 0 || upid == threads.upid(b);
    }

    /** The last row that began by a moment; before the first if there is none. */
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
