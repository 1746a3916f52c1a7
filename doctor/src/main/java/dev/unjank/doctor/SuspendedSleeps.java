package dev.unjank.doctor;

import dev.unjank.trace.SchedState;
import dev.unjank.trace.ThreadStates;
import dev.unjank.trace.Threads;
import dev.unjank.trace.Trace;
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
final class SuspendedSleeps implements WaitSource {
    private final ThreadStates states;
    private final Threads threads;
    private final ThreadRefs refs;
    private final Suspensions suspensions;

    SuspendedSleeps(Trace trace, ThreadRefs refs, Suspensions suspensions) {
        this.states = trace.threadStates();
        this.threads = trace.threads();
        this.refs = refs;
        this.suspensions = suspensions;
    }

    @Override
    public void find(int utid, Consumer<Stall> found) {
        List<Suspensions.Suspension> ofProcess = suspensions.of(threads.upid(utid));
        List<Stall> stalls = new ArrayList<>();
        for (int i = 0; i < ofProcess.size(); i++) {
            if (suspensions.concerns(ofProcess.get(i), utid)) {
                find(utid, ofProcess.get(i), i, stalls);
            }
        }
        stalls.sort(Order.ascending(Stall::startNs));
        stalls.forEach(found);
    }

    /** Looks at the sleeps of a thread in one suspension, whose number in its process becomes the stall's row. */
    private void find(int utid, Suspensions.Suspension held, int number, List<Stall> found) {
        long until = held.toNs() + Suspensions.AT_ONCE_NS;
        for (int row = Math.max(states.at(utid, held.fromNs()), states.first(utid));
                row + 1 < states.end(utid) && states.ts(row + 1) <= until;
                row++) {
            boolean letGo = states.state(row) == SchedState.SLEEPING
                    && states.state(row + 1) == SchedState.RUNNABLE
                    && states.waker(row + 1) == held.utid()
                    && states.ts(row + 1) > held.fromNs();
            if (letGo && (held.only() != null || states.ts(row) >= held.fromNs())) {
                long from = Math.max(states.ts(row), held.fromNs());
                found.add(new Stall(this, utid, number, from, states.ts(row + 1), false));
            }
        }
    }

    private Suspensions.Suspension held(Stall stall) {
        return suspensions.of(threads.upid(stall.utid())).get(stall.row());
    }

    @Override
    public Reason reason(Stall stall) {
        return new Reason(held(stall).kind(), held(stall).what());
    }

    @Override
    public List<Claim> claims(Stall stall) {
        Suspensions.Suspension held = held(stall);
        Evidence evidence = held.only() == null ? Evidence.WAKER_INFERRED : Evidence.OWNER_NAMED;
        ThreadRef by = refs.during(held.utid(), stall.startNs(), stall.endNs(), null);
        return List.of(new Claim(stall.startNs(), new Owner(by, null, evidence)));
    }
}
