package dev.unjank.doctor.judge;

import dev.unjank.doctor.model.ThreadRef;
import dev.unjank.doctor.model.Wait;
import dev.unjank.doctor.model.loss.EventLosses;
import dev.unjank.trace.model.ThreadStates;
import dev.unjank.trace.model.Trace;

/**
 * Determines whether events were lost on which a verdict may depend: any events during the wait, or the scheduler's events of one of
 * its threads, which contradict each other. Thread-safe.
 */
final class LostEvents {
    private final EventLosses losses;
    private final ThreadStates states;

    LostEvents(Trace trace) {
        losses = new EventLosses(trace);
        states = trace.threadStates();
    }

    boolean concern(Wait wait) {
        boolean[] any = {
            losses.during(wait.startNs(), wait.endNs()) != null
                    || areStatesDoubtful(wait.thread(), wait.startNs(), wait.endNs())
        };
        wait.forEachLeaf(leaf ->
                any[0] = any[0] || areStatesDoubtful(leaf.thread(), leaf.startNs(), leaf.startNs() + leaf.durNs()));
        return any[0];
    }

    private boolean areStatesDoubtful(ThreadRef thread, long fromNs, long toNs) {
        if (!thread.isInTrace()) {
            return false;
        }
        int utid = thread.utid();
        for (int row = Math.max(states.at(utid, fromNs), states.first(utid));
                row < states.end(utid) && states.ts(row) < toNs;
                row++) {
            if (states.isDoubtful(row) && states.endNs(row) > fromNs) {
                return true;
            }
        }
        return false;
    }
}
