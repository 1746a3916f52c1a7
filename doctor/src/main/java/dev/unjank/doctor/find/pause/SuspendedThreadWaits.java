package dev.unjank.doctor.find.pause;

import dev.unjank.doctor.find.thread.ThreadRefFactory;
import dev.unjank.doctor.find.wait.BlameInterval;
import dev.unjank.doctor.find.wait.BlockedInterval;
import dev.unjank.doctor.find.wait.WaitSource;
import dev.unjank.trace.collections.LongOrder;
import dev.unjank.trace.model.SchedState;
import dev.unjank.trace.model.ThreadStates;
import dev.unjank.trace.model.Threads;
import dev.unjank.trace.model.Trace;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Waits of a thread that returned from native code while Android's runtime had suspended the threads of its process: it
 * sleeps until they resume, without a slice. A sleep counts if it began during the suspension, and the suspending
 * thread ended it then or directly afterwards. For a single suspended thread, whose suspension is recorded only once it
 * has stopped, the part of the sleep since then counts. A longer or an earlier sleep is another wait, and a thread that
 * stays in native code is not delayed.
 */
public final class SuspendedThreadWaits implements WaitSource {
    private final ThreadStates states;
    private final Threads threads;
    private final ThreadRefFactory refs;
    private final ThreadSuspensions suspensions;

    public SuspendedThreadWaits(Trace trace, ThreadRefFactory refs, ThreadSuspensions suspensions) {
        this.states = trace.threadStates();
        this.threads = trace.threads();
        this.refs = refs;
        this.suspensions = suspensions;
    }

    @Override
    public void find(int utid, Consumer<BlockedInterval> found) {
        List<ThreadSuspensions.Suspension> ofProcess = suspensions.of(threads.upid(utid));
        List<BlockedInterval> intervals = new ArrayList<>();
        for (int i = 0; i < ofProcess.size(); i++) {
            if (suspensions.appliesTo(ofProcess.get(i), utid)) {
                find(utid, ofProcess.get(i), i, intervals);
            }
        }
        intervals.sort(LongOrder.ascending(BlockedInterval::startNs));
        intervals.forEach(found);
    }

    /** Finds the sleeps of a thread in one suspension, whose index in its process becomes the row of the wait. */
    private void find(int utid, ThreadSuspensions.Suspension suspension, int index, List<BlockedInterval> found) {
        long until = suspension.toNs() + ThreadSuspensions.MAX_GAP_NS;
        for (int row = Math.max(states.at(utid, suspension.fromNs()), states.first(utid));
                row + 1 < states.end(utid) && states.ts(row + 1) <= until;
                row++) {
            boolean isResumed = states.state(row) == SchedState.SLEEPING
                    && states.state(row + 1) == SchedState.RUNNABLE
                    && states.waker(row + 1) == suspension.utid()
                    && states.ts(row + 1) > suspension.fromNs();
            if (isResumed && (suspension.only() != null || states.ts(row) >= suspension.fromNs())) {
                long from = Math.max(states.ts(row), suspension.fromNs());
                found.add(new BlockedInterval(this, utid, index, from, states.ts(row + 1), false));
            }
        }
    }

    private ThreadSuspensions.Suspension suspension(BlockedInterval interval) {
        return suspensions.of(threads.upid(interval.utid())).get(interval.row());
    }

    @Override
    public Reason reason(BlockedInterval interval) {
        return new Reason(suspension(interval).kind(), suspension(interval).reason());
    }

    @Override
    public List<BlameInterval> blameIntervals(BlockedInterval interval) {
        ThreadSuspensions.Suspension suspension = suspension(interval);
        long from = interval.startNs();
        long to = interval.endNs();
        return List.of(new BlameInterval(
                from,
                suspension.only() == null
                        ? refs.ownerByWaker(suspension.utid(), from, to)
                        : refs.namedOwner(suspension.utid(), from, to)));
    }
}
