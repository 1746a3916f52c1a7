package dev.unjank.doctor;

import dev.unjank.doctor.OwnerFinder.Tenure;
import dev.unjank.trace.SchedState;
import dev.unjank.trace.Slices;
import dev.unjank.trace.ThreadStates;
import dev.unjank.trace.Trace;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Builds blame trees. A wait is split by who had the lock, each owner's stretch by what the scheduler says the owner did,
 * and each of its sleeps by the further locks it waited for meanwhile; those are waits again. Where an owner is running or
 * ready to run although its own lock slice has not ended, it has been woken and counts as running or preempted.
 *
 * <p>A wait that leads back to a thread further up is a circle. If no thread in it went on, it is a deadlock. If one did, it
 * had got its lock, so that lock must have changed hands since the runtime named its owner: that time is unknown.
 *
 * <p>Not thread-safe.
 */
final class BlameTree {
    /** A longer chain of owners is no longer followed: nobody would read it, and the stack has an end. */
    private static final int DEEPEST = 64;

    private final Slices slices;
    private final ThreadStates states;
    private final Contentions contentions;
    private final ThreadRefs refs;
    private final OwnerFinder owners;
    private final RanInstead ranInstead;

    /** The waits from the root down to the one that is being built. */
    private final List<Open> path = new ArrayList<>();

    /** When the root's thread was woken for the last time; no part reaches over this moment. */
    private long wokenNs;

    /** A thread that waits, and its contention slice. */
    private record Open(int utid, int row) {}

    BlameTree(Trace trace, Contentions contentions) {
        this.slices = trace.slices();
        this.states = trace.threadStates();
        this.contentions = contentions;
        this.refs = new ThreadRefs(trace);
        this.owners = new OwnerFinder(trace, contentions, refs);
        this.ranInstead = new RanInstead(trace, refs);
    }

    /**
     * {@return the tree of a contention slice}
     */
    LockWait of(int utid, int row) {
        wokenNs = slices.isOpen(row) ? slices.endNs(row) : lastWakeUp(utid, slices.ts(row), slices.endNs(row));
        return wait(utid, row, slices.ts(row), slices.endNs(row));
    }

    private long lastWakeUp(int utid, long from, long to) {
        long woken = to;
        for (int row = Math.max(states.at(utid, from), states.first(utid)) + 1;
                row < states.end(utid) && states.ts(row) < to;
                row++) {
            if (states.ts(row) > from && states.state(row).isRunnable() && isSleep(states.state(row - 1))) {
                woken = states.ts(row);
            }
        }
        return woken;
    }

    private static boolean isSleep(SchedState state) {
        return !state.isRunnable() && state != SchedState.RUNNING;
    }

    private LockWait wait(int utid, int row, long from, long to) {
        Contention contention = contentions.get(row);
        path.add(new Open(utid, row));
        List<Tenure> tenures = owners.find(utid, row);
        List<Hold> holds = new ArrayList<>(tenures.size());
        for (int i = 0; i < tenures.size(); i++) {
            long start = Math.max(from, tenures.get(i).startNs());
            long end = i + 1 < tenures.size() ? Math.min(to, tenures.get(i + 1).startNs()) : to;
            if (start < end) {
                holds.add(hold(tenures.get(i).owner(), start, end));
            }
        }
        path.removeLast();
        return new LockWait(
                refs.during(utid, from, to, null),
                contention.lock(),
                contention.blockedSite(),
                contention.waiters(),
                from,
                to - from,
                path.isEmpty() ? wokenNs : to,
                slices.isOpen(row),
                holds);
    }

    private Hold hold(Owner named, long from, long to) {
        int utid = named.thread().utid();
        if (utid < 0) {
            return unknown(named, from, to, null);
        }
        Owner owner = new Owner(refs.during(utid, from, to, named.thread().name()), named.site(), named.evidence());
        int circle = onPath(utid);
        if (circle < 0 && path.size() > DEEPEST) {
            return unknown(owner, from, to, "a chain of more than " + DEEPEST + " owners is not followed");
        }
        if (circle < 0) {
            return new Hold(owner, from, to - from, parts(owner.thread(), from, to), false);
        }
        if (nobodyWentOn(circle)) {
            return new Hold(owner, from, to - from, List.of(), true);
        }
        return unknown(owner, from, to, "the lock must have changed hands");
    }

    private static Hold unknown(Owner owner, long from, long to, @Nullable String why) {
        return new Hold(owner, from, to - from, List.of(unknown(owner.thread(), from, to, why)), false);
    }

    private int onPath(int utid) {
        for (int i = 0; i < path.size(); i++) {
            if (path.get(i).utid() == utid) {
                return i;
            }
        }
        return -1;
    }

    /** Whoever writes the end of a slice runs; a thread that does not run at its end never wrote it. */
    private boolean nobodyWentOn(int circle) {
        for (Open open : path.subList(circle, path.size())) {
            if (!slices.isOpen(open.row())) {
                int row = states.at(open.utid(), slices.endNs(open.row()));
                if (row < 0
                        || states.state(row) == SchedState.RUNNING
                        || states.state(row).isRunnable()) {
                    return false;
                }
            }
        }
        return true;
    }

    private List<Part> parts(ThreadRef owner, long from, long to) {
        List<Part> parts = new ArrayList<>();
        int utid = owner.utid();
        long at = from;
        for (int row = Math.max(states.at(utid, from), states.first(utid));
                row < states.end(utid) && states.ts(row) < to;
                row++) {
            long start = Math.max(from, states.ts(row));
            long end = Math.min(to, states.endNs(row));
            if (start < end) {
                if (at < start) {
                    parts.add(unknown(owner, at, start, null));
                }
                if (start < wokenNs && wokenNs < end) {
                    addRow(owner, row, start, wokenNs, parts);
                    addRow(owner, row, wokenNs, end, parts);
                } else {
                    addRow(owner, row, start, end, parts);
                }
                at = end;
            }
        }
        if (at < to) {
            parts.add(unknown(owner, at, to, null));
        }
        return parts;
    }

    private void addRow(ThreadRef owner, int row, long from, long to, List<Part> parts) {
        ThreadRef then = owner.withPriority(states.priority(row));
        OwnerState state = stateOf(row);
        switch (state) {
            case PREEMPTED ->
                parts.add(new Part(
                        state, from, to - from, then, null, ranInstead.find(owner.utid(), row, from, to), null));
            case SLEEPING, IO_WAIT, UNINTERRUPTIBLE -> addSleep(then, state, row, from, to, parts);
            case RUNNING -> parts.add(leaf(state, then, from, to, sliceAt(owner.utid(), from)));
            case BLOCKED, UNKNOWN -> parts.add(unknown(then, from, to, null));
        }
    }

    private OwnerState stateOf(int row) {
        return switch (states.state(row)) {
            case RUNNING -> OwnerState.RUNNING;
            case RUNNABLE, RUNNABLE_PREEMPTED -> OwnerState.PREEMPTED;
            case SLEEPING, IDLE, STOPPED, TRACED, PARKED -> OwnerState.SLEEPING;
            case UNINTERRUPTIBLE, KILLABLE -> states.ioWait(row) ? OwnerState.IO_WAIT : OwnerState.UNINTERRUPTIBLE;
            case DEAD, ZOMBIE, UNKNOWN -> OwnerState.UNKNOWN;
        };
    }

    /** Splits a sleep by the contended locks that the sleeper waited for. */
    private void addSleep(ThreadRef owner, OwnerState state, int row, long from, long to, List<Part> parts) {
        String function = states.blockedFunction(row);
        long at = from;
        int[] waits = contentions.outermost(owner.utid());
        for (int i = contentions.firstEndingAfter(waits, from); i < waits.length && slices.ts(waits[i]) < to; i++) {
            long start = Math.max(from, slices.ts(waits[i]));
            long end = Math.min(to, slices.endNs(waits[i]));
            if (at < start) {
                parts.add(leaf(state, owner, at, start, detail(function, owner.utid(), at)));
            }
            LockWait further = wait(owner.utid(), waits[i], start, end);
            parts.add(new Part(OwnerState.BLOCKED, start, end - start, owner, null, List.of(), further));
            at = end;
        }
        if (at < to) {
            parts.add(leaf(state, owner, at, to, detail(function, owner.utid(), at)));
        }
    }

    private @Nullable String detail(@Nullable String function, int utid, long ts) {
        return function != null ? function : sliceAt(utid, ts);
    }

    private @Nullable String sliceAt(int utid, long ts) {
        int row = slices.innermostAt(utid, ts);
        while (row >= 0 && contentions.of(row) != null) {
            row = slices.parent(row);
        }
        return row < 0 ? null : slices.name(row);
    }

    private static Part unknown(ThreadRef owner, long from, long to, @Nullable String why) {
        return leaf(OwnerState.UNKNOWN, owner, from, to, why);
    }

    private static Part leaf(OwnerState state, ThreadRef owner, long from, long to, @Nullable String detail) {
        return new Part(state, from, to - from, owner, detail, List.of(), null);
    }
}
