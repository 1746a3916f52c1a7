package dev.unjank.doctor.find.pause;

import dev.unjank.doctor.find.thread.ThreadRefFactory;
import dev.unjank.doctor.find.wait.BlameInterval;
import dev.unjank.doctor.find.wait.BlockedInterval;
import dev.unjank.doctor.find.wait.WaitSource;
import dev.unjank.doctor.model.Evidence;
import dev.unjank.doctor.model.LongOrder;
import dev.unjank.doctor.model.Owner;
import dev.unjank.doctor.model.ThreadRef;
import dev.unjank.trace.model.SchedState;
import dev.unjank.trace.model.ThreadStates;
import dev.unjank.trace.model.Threads;
import dev.unjank.trace.model.Trace;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Waits of a thread that came back from native code while Android's runtime held the threads of its process still: it has to sleep
 * until it is let go on, and no slice tells of that. A sleep counts if the thread that held the others still ended it, then or at
 * once afterwards, and it had begun meanwhile; where a single thread is held still, which the runtime tells only once it has
 * stopped, the part of the sleep since then. Who sleeps on, or slept before, waits for something else, and who runs in native code
 * all the time is not held up.
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

    /** Looks at the sleeps of a thread in one suspension, whose number in its process becomes the stall's row. */
    private void find(int utid, ThreadSuspensions.Suspension held, int number, List<BlockedInterval> found) {
        long until = held.toNs() + ThreadSuspensions.AT_ONCE_NS;
        for (int row = Math.max(states.at(utid, held.fromNs()), states.first(utid));
                row + 1 < states.end(utid) && states.ts(row + 1) <= until;
                row++) {
            boolean letGo = states.state(row) == SchedState.SLEEPING
                    && states.state(row + 1) == SchedState.RUNNABLE
                    && states.waker(row + 1) == held.utid()
                    && states.ts(row + 1) > held.fromNs();
            if (letGo && (held.only() != null || states.ts(row) >= held.fromNs())) {
                long from = Math.max(states.ts(row), held.fromNs());
                found.add(new BlockedInterval(this, utid, number, from, states.ts(row + 1), false));
            }
        }
    }

    private ThreadSuspensions.Suspension held(BlockedInterval interval) {
        return suspensions.of(threads.upid(interval.utid())).get(interval.row());
    }

    @Override
    public Reason reason(BlockedInterval interval) {
        return new Reason(held(interval).kind(), held(interval).what());
    }

    @Override
    public List<BlameInterval> blameIntervals(BlockedInterval interval) {
        ThreadSuspensions.Suspension held = held(interval);
        Evidence evidence = held.only() == null ? Evidence.WAKER_INFERRED : Evidence.OWNER_NAMED;
        ThreadRef by = refs.during(held.utid(), interval.startNs(), interval.endNs(), null);
        return List.of(new BlameInterval(interval.startNs(), new Owner(by, null, evidence)));
    }
}
