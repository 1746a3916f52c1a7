package dev.unjank.doctor.judge;

import dev.unjank.doctor.find.activity.ActivityNames;
import dev.unjank.doctor.find.activity.OffSchedulerActivity;
import dev.unjank.doctor.find.activity.SampledFunctions;
import dev.unjank.doctor.find.coverage.TraceCoverage;
import dev.unjank.doctor.find.thread.ThreadRefFactory;
import dev.unjank.doctor.find.wait.BlameInterval;
import dev.unjank.doctor.find.wait.BlockedInterval;
import dev.unjank.doctor.find.wait.WaitIndex;
import dev.unjank.doctor.find.wait.WaitSource;
import dev.unjank.doctor.find.wait.WakeUps;
import dev.unjank.doctor.model.Owner;
import dev.unjank.doctor.model.OwnerInterval;
import dev.unjank.doctor.model.OwnerState;
import dev.unjank.doctor.model.Segment;
import dev.unjank.doctor.model.ThreadRef;
import dev.unjank.doctor.model.Wait;
import dev.unjank.trace.model.SchedState;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.ThreadStates;
import dev.unjank.trace.model.Threads;
import dev.unjank.trace.model.Trace;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Builds blame trees: which thread, in which state, blocked the waiter at each moment of a wait.
 *
 * <ol>
 *   <li>A wait is split by owner: one interval per owner.
 *   <li>Each interval is split by the owner's state, from scheduler events or {@link OffSchedulerActivity}.
 *   <li>Where the owner itself waited, that wait is split in the same way. If the owner is running or runnable although
 *       its own wait has not ended, it has already been woken, and counts as running or runnable.
 *   <li>From its last wake-up on, the waiter counts as the owner: it only waits for a CPU now.
 * </ol>
 *
 * <p>If a wait leads to a thread that is already on the path to the root, the path is a cycle: a deadlock if no thread
 * of it continued. Otherwise a lock changed hands after the runtime had recorded its owner, and the state is unknown.
 * Nested calls are no cycle: A calls B, B calls A back, and A serves that call while it waits for B.
 *
 * <p>Not thread-safe.
 */
final class BlameTree {
    private static final BlockedInterval[] NONE = {};

    /** No row of the table of thread states. */
    private static final int NO_ROW = -1;

    private final Slices slices;
    private final ThreadStates states;
    private final Threads threads;
    private final WaitIndex waits;
    private final WakeUps wakeUps;
    private final ThreadRefFactory refs;
    private final PreemptionFinder preemption;
    private final ActivityNames names;
    private final SampledFunctions sampled;
    private final OffSchedulerActivity offScheduler;
    private final TraceCoverage coverage;

    /** The waits from the root down to the one that is being built. */
    private final List<BlockedInterval> path = new ArrayList<>();

    /** The waiter at the root, with its priority there; null outside of a tree. */
    private @Nullable ThreadRef waiter;

    BlameTree(
            Trace trace,
            WaitIndex waits,
            WakeUps wakers,
            ThreadRefFactory refs,
            ActivityNames names,
            OffSchedulerActivity offScheduler,
            TraceCoverage known) {
        this.slices = trace.slices();
        this.states = trace.threadStates();
        this.threads = trace.threads();
        this.waits = waits;
        this.wakeUps = wakers;
        this.refs = refs;
        this.preemption = new PreemptionFinder(trace, refs);
        this.names = names;
        this.sampled = new SampledFunctions(trace);
        this.offScheduler = offScheduler;
        this.coverage = known;
    }

    /** {@return the tree of a wait} */
    Wait of(BlockedInterval interval) {
        long from = interval.startNs();
        long to = interval.endNs();
        waiter = refs.during(interval.utid(), from, to, null);
        List<BlameInterval> blames = interval.source().blameIntervals(interval);
        long woken = interval.open() || isOwn(blames.getFirst(), interval.utid())
                ? to
                : wakeUps.lastWakeUp(interval.utid(), from, to);
        List<OwnerInterval> tenures = ownerIntervals(interval, blames, from, woken);
        if (woken < to) {
            Owner self = refs.ownerItself(interval.utid(), woken, to);
            tenures.add(new OwnerInterval(
                    self, woken, to - woken, parts(self.thread(), new BlameInterval(woken, self), woken, to, false)));
        }
        return wait(interval, from, to, tenures);
    }

    /** {@return the states of a thread in an interval, with its own waits} */
    List<Segment> states(Owner owner, long from, long to) {
        waiter = null;
        return parts(owner.thread(), new BlameInterval(from, owner), from, to, true);
    }

    private Wait nextWait(BlockedInterval interval, long from, long to) {
        return wait(
                interval, from, to, ownerIntervals(interval, interval.source().blameIntervals(interval), from, to));
    }

    private Wait wait(BlockedInterval interval, long from, long to, List<OwnerInterval> tenures) {
        WaitSource.Reason reason = interval.source().reason(interval);
        return new Wait(
                reason.kind(),
                refs.during(interval.utid(), from, to, null),
                reason.target(),
                reason.location(),
                reason.stack(),
                reason.waiters(),
                from,
                to - from,
                interval.open(),
                tenures);
    }

    private List<OwnerInterval> ownerIntervals(
            BlockedInterval interval, List<BlameInterval> blames, long from, long to) {
        path.add(interval);
        List<OwnerInterval> tenures = new ArrayList<>(blames.size() + 1);
        for (int i = 0; i < blames.size(); i++) {
            BlameInterval blame = blames.get(i);
            long start = i == 0 ? from : Math.max(from, blame.startNs());
            long end = i + 1 < blames.size() ? Math.min(to, blames.get(i + 1).startNs()) : to;
            if (start < end) {
                tenures.add(ownerInterval(interval, blame, start, end));
            }
        }
        path.removeLast();
        return tenures;
    }

    private OwnerInterval ownerInterval(BlockedInterval interval, BlameInterval blame, long from, long to) {
        Owner named = blame.owner();
        int utid = named.thread().utid();
        if (utid < 0) {
            return blame.offCpuState() == OwnerState.SLEEPING
                    ? unknownOwnerInterval(named, interval.utid(), from, to)
                    : leafInterval(named, blame.offCpuState(), from, to, null);
        }
        Owner owner =
                named.withThread(refs.during(utid, from, to, named.thread().name()));
        if (path.size() > Segment.LONGEST_CHAIN) {
            return leafInterval(owner, OwnerState.UNKNOWN, from, to, Segment.CHAIN_TOO_LONG);
        }
        int circle = isOwn(blame, interval.utid()) ? -1 : onPath(utid, blame.slice());
        if (circle < 0) {
            return OwnerInterval.of(owner, from, to, parts(owner.thread(), blame, from, to, true));
        }
        return isDeadlock(circle)
                ? leafInterval(owner, OwnerState.DEADLOCKED, from, to, null)
                : leafInterval(owner, OwnerState.UNKNOWN, from, to, Segment.LOCK_CHANGED_HANDS);
    }

    private static boolean isOwn(BlameInterval blame, int utid) {
        return blame.owner().thread().utid() == utid;
    }

    /** Splits the interval of an unknown owner by pauses of its process, during which it did not run. */
    private OwnerInterval unknownOwnerInterval(Owner owner, int blocked, long from, long to) {
        List<Segment> parts = new ArrayList<>();
        offScheduler.splitUnknownThread(owner.thread(), threads.upid(blocked), from, to, parts);
        return new OwnerInterval(owner, from, to - from, parts);
    }

    private static OwnerInterval leafInterval(Owner owner, OwnerState state, long from, long to, @Nullable String why) {
        return new OwnerInterval(owner, from, to - from, List.of(leaf(state, owner.thread(), from, to, why)));
    }

    /**
     * The index on the path of a wait of the same thread; -1 if there is none. Skips waits during which the thread
     * serves the nested call {@code within}.
     */
    private int onPath(int utid, int within) {
        for (int i = 0; i < path.size(); i++) {
            BlockedInterval interval = path.get(i);
            boolean serves = within >= 0
                    && interval.startNs() <= slices.ts(within)
                    && coverage.sliceEndNs(within) <= interval.endNs();
            if (interval.utid() == utid && !serves) {
                return i;
            }
        }
        return -1;
    }

    /**
     * Whether no thread of a cycle continued: none was running or runnable at the end of its wait. A thread writes the
     * end of its slice itself, while it runs. So if it did not run then, the recorded end is not its own, and it still
     * waited.
     */
    private boolean isDeadlock(int circle) {
        for (BlockedInterval interval : path.subList(circle, path.size())) {
            if (!interval.open()) {
                int row = states.at(interval.utid(), interval.endNs());
                if (row < 0
                        || states.state(row) == SchedState.RUNNING
                        || states.state(row).isRunnable()) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Splits an interval by the thread's states; {@code follows} means that its own waits are split further. */
    private List<Segment> parts(ThreadRef owner, BlameInterval blame, long from, long to, boolean follows) {
        List<Segment> parts = new ArrayList<>();
        int utid = owner.utid();
        BlockedInterval[] further = follows ? waits.within(utid, blame.slice()) : NONE;
        long at = from;
        for (int row = Math.max(states.at(utid, from), states.first(utid));
                row < states.end(utid) && states.ts(row) < to;
                row++) {
            long start = Math.max(from, states.ts(row));
            long end = Math.min(to, coverage.endNs(row));
            if (start < end) {
                addOffSchedulerActivity(owner, blame, at, start, further, parts);
                addRow(owner, row, blame, start, end, further, parts);
                at = end;
            }
        }
        addOffSchedulerActivity(owner, blame, at, to, further, parts);
        return parts;
    }

    private void addRow(
            ThreadRef owner,
            int row,
            BlameInterval blame,
            long from,
            long to,
            BlockedInterval[] further,
            List<Segment> parts) {
        ThreadRef then = refs.at(owner, row);
        OwnerState recorded = OwnerState.of(states, row);
        boolean idles = recorded == OwnerState.SLEEPING || (recorded == OwnerState.RUNNING && blame.isCritical());
        OwnerState state = idles ? blame.offCpuState() : recorded;
        switch (state) {
            case RUNNABLE -> {
                List<Integer> cpus = preemption.waitedFor(owner.utid(), row);
                parts.add(new Segment(
                        state,
                        from,
                        to - from,
                        then,
                        null,
                        cpus,
                        preemption.on(cpus, owner.utid(), from, to),
                        lessImportantNs(cpus, then, from, to),
                        null));
            }
            case RUNNING -> parts.add(leaf(state, then, from, to, activityName(owner.utid(), from, to)));
            case UNKNOWN -> parts.add(leaf(state, then, from, to, null));
            default -> addSleep(then, state, row, from, to, further, parts);
        }
    }

    private long lessImportantNs(List<Integer> cpus, ThreadRef owner, long from, long to) {
        return waiter == null || !owner.isLessImportantThan(waiter)
                ? 0
                : preemption.lessImportantNs(cpus, owner.utid(), waiter, from, to);
    }

    /** The slice of a thread, or else its most sampled function. */
    private @Nullable String activityName(int utid, long from, long to) {
        String slice = names.during(utid, from, to);
        return slice != null ? slice : sampled.during(utid, from, to);
    }

    /** Splits an interval without scheduler events by the thread's own waits. */
    private void addOffSchedulerActivity(
            ThreadRef owner, BlameInterval blame, long from, long to, BlockedInterval[] further, List<Segment> parts) {
        OwnerState state = blame.isCritical() ? blame.offCpuState() : OwnerState.UNKNOWN;
        addSleep(owner, state, NO_ROW, from, to, further, parts);
    }

    /**
     * Splits a sleep by what the sleeper waited for; {@code row} is its scheduler state, {@link #NO_ROW} if not
     * recorded.
     */
    private void addSleep(
            ThreadRef owner,
            OwnerState state,
            int row,
            long from,
            long to,
            BlockedInterval[] further,
            List<Segment> parts) {
        long at = from;
        for (int i = WaitIndex.firstEndingAfter(further, from); i < further.length && at < to; i++) {
            long start = Math.max(from, further[i].startNs());
            long end = Math.min(to, further[i].endNs());
            if (start >= end) {
                break;
            }
            addSleepSegment(owner, state, row, at, start, parts);
            Wait wait = nextWait(further[i], start, end);
            parts.add(new Segment(OwnerState.BLOCKED, start, end - start, owner, null, List.of(), List.of(), wait));
            at = end;
        }
        addSleepSegment(owner, state, row, at, to, parts);
    }

    private void addSleepSegment(ThreadRef owner, OwnerState state, int row, long from, long to, List<Segment> parts) {
        if (from >= to) {
            return;
        }
        if (state == OwnerState.UNKNOWN) {
            offScheduler.split(owner, from, to, parts);
            return;
        }
        String function = row == NO_ROW ? null : states.blockedFunction(row);
        String detail = function != null ? function : names.during(owner.utid(), from, to);
        if (state == OwnerState.SLEEPING && row != NO_ROW) {
            offScheduler.splitSleep(owner, row, from, to, detail, parts);
        } else {
            parts.add(leaf(state, owner, from, to, detail));
        }
    }

    private static Segment leaf(OwnerState state, ThreadRef owner, long from, long to, @Nullable String detail) {
        return new Segment(state, from, to - from, owner, detail, List.of(), List.of(), null);
    }
}
