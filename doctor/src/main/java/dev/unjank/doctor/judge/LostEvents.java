package dev.unjank.doctor.judge;

import dev.unjank.doctor.model.Judgement;
import dev.unjank.doctor.model.ThreadRef;
import dev.unjank.doctor.model.Wait;
import dev.unjank.doctor.model.loss.EventLoss;
import dev.unjank.doctor.model.loss.EventLosses;
import dev.unjank.trace.model.ThreadStates;
import dev.unjank.trace.model.Trace;

/**
 * Determines whether a verdict may depend on lost events. A recorded loss during the wait is enough, since any number
 * of events is missing.
 *
 * <p>Where only contradicting events show a loss, as little as one event is missing: kernels lose single switches
 * without counting them, in each second of a recording. Such a loss changes what the threads did while it lasted, and
 * rarely an owner that is inferred from the last wake-up. It concerns a verdict if these times are at least a tenth of
 * the time that decided it.
 *
 * <p>Thread-safe.
 */
final class LostEvents {
    /** The part of the decisive time from which contradictions concern a verdict, as a divisor. */
    private static final int LEAST_PART = 10;

    private final EventLosses recorded;
    private final EventLosses found;
    private final ThreadStates states;

    LostEvents(Trace trace) {
        recorded = EventLosses.of(trace, true);
        found = EventLosses.of(trace, false);
        states = trace.threadStates();
    }

    boolean concern(Wait wait, Judgement judgement) {
        if (recorded.during(wait.startNs(), wait.endNs()) != null) {
            return true;
        }
        EventLoss loss = found.during(wait.startNs(), wait.endNs());
        long[] doubtfulNs = {(loss == null ? 0 : loss.durNs()) + doubtfulNs(wait.thread(), wait.startNs(), wait.endNs())
        };
        wait.forEachLeaf(leaf -> {
            if (leaf.thread().utid() != wait.thread().utid()) {
                doubtfulNs[0] += doubtfulNs(leaf.thread(), leaf.startNs(), leaf.startNs() + leaf.durNs());
            }
        });
        return doubtfulNs[0] > 0 && doubtfulNs[0] >= judgement.decisiveNs() / LEAST_PART;
    }

    /** The time in which other events contradict the states of a thread. */
    private long doubtfulNs(ThreadRef thread, long fromNs, long toNs) {
        if (!thread.isInTrace()) {
            return 0;
        }
        int utid = thread.utid();
        long sum = 0;
        for (int row = Math.max(states.at(utid, fromNs), states.first(utid));
                row < states.end(utid) && states.ts(row) < toNs;
                row++) {
            if (states.isDoubtful(row)) {
                sum += Math.max(0, Math.min(states.endNs(row), toNs) - Math.max(states.ts(row), fromNs));
            }
        }
        return sum;
    }
}
