package dev.unjank.doctor.judge;

import dev.unjank.doctor.model.Evidence;
import dev.unjank.doctor.model.Judgement;
import dev.unjank.doctor.model.Owner;
import dev.unjank.doctor.model.OwnerInterval;
import dev.unjank.doctor.model.Segment;
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
 * without counting them, in each second of a recording. Such a loss changes what the threads did while it lasted. It
 * concerns a verdict if these times are at least a tenth of the time that decided it, or if it concerns the wake-up
 * from which an owner is inferred.
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
        if (recorded.during(wait.startNs(), wait.endNs()) != null || hasDoubtfulWaker(wait)) {
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

    /** Whether events contradict the wake-up from which the owner of a wait, or of one in its tree, is inferred. */
    private boolean hasDoubtfulWaker(Wait wait) {
        for (OwnerInterval interval : wait.ownerIntervals()) {
            boolean isInferred = interval.owner().evidence() == Evidence.WAKER_INFERRED;
            if (isInferred && isWakerDoubtful(wait, interval.startNs(), interval.owner())) {
                return true;
            }
            for (Segment part : interval.segments()) {
                Wait further = part.nextWait();
                if (further != null && hasDoubtfulWaker(further)) {
                    return true;
                }
            }
        }
        return false;
    }

    /**
     * Whether a state of the waiter, from the sleep that its waker ended to the end of the wait, is contradicted: its
     * last wake-up may be missing. Or a switch may be missing that put another thread on the waker's CPU.
     */
    private boolean isWakerDoubtful(Wait wait, long fromNs, Owner owner) {
        if (!wait.thread().isInTrace()) {
            return false;
        }
        int utid = wait.thread().utid();
        int waker = owner.thread().utid();
        int first = Math.max(states.at(utid, fromNs), states.first(utid));
        boolean isDoubtful = false;
        for (int row = first; row < states.end(utid) && states.ts(row) < wait.endNs(); row++) {
            if (row > first && states.waker(row) == waker) {
                isDoubtful = states.isDoubtful(row - 1) || isWithinLoss(waker, states.ts(row));
            }
            isDoubtful |= states.isDoubtful(row);
        }
        return isDoubtful;
    }

    /** Whether a loss of the CPU of a thread began before a time and ended after it. */
    private boolean isWithinLoss(int utid, long ts) {
        int row = states.at(utid, ts);
        EventLoss loss = row < 0 ? null : found.during(ts - 1, ts + 1);
        return loss != null
                && loss.durNs() == 2
                && (loss.cpus().isEmpty() || loss.cpus().contains(states.cpu(row)));
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
