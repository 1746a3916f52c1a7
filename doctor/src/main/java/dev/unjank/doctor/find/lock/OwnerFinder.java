package dev.unjank.doctor.find.lock;

import dev.unjank.doctor.find.code.CodeSiteFinder;
import dev.unjank.doctor.find.code.SliceStacks;
import dev.unjank.doctor.find.lock.LockContention.Kind;
import dev.unjank.doctor.find.thread.ThreadRefFactory;
import dev.unjank.doctor.find.wait.BlameInterval;
import dev.unjank.doctor.find.wait.WakeUps;
import dev.unjank.doctor.model.CallStack;
import dev.unjank.doctor.model.CodeLocation;
import dev.unjank.doctor.model.Evidence;
import dev.unjank.doctor.model.Owner;
import dev.unjank.doctor.model.ThreadRef;
import dev.unjank.trace.model.Processes;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.Threads;
import dev.unjank.trace.model.Trace;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the owners of the lock of a contention slice. In this order:
 *
 * <ol>
 *   <li>the tids in the runtime's lock slices nested in a monitor's; several mean that the monitor changed owners, each
 *       from the start of its slice. If the id in the monitor's own slice is the same, the runtime itself named the
 *       owner, as a Java virtual machine does, whose owners become such slices. The same for slices nested in that of a
 *       lock of {@code java.util.concurrent};
 *   <li>the id in the slice's own name, if a live thread of the process has that tid and its name matches. On Android
 *       12 and 13 the id is the runtime's own: it then matches no thread;
 *   <li>in a Java virtual machine, the id in the slice's own name, which is a tid;
 *   <li>the thread name in the slice's name, if exactly one live thread of the process can have it;
 *   <li>without a recorded owner, the thread that woke the blocked one last before it got the lock; not one that was
 *       idle meanwhile, such as a carrier that mounted the virtual thread with the lock only at the end;
 *   <li>in a Java virtual machine, a thread whose stack was in the method that takes the lock, see {@link
 *       StackOwnerInference}.
 * </ol>
 *
 * <p>The code of an owner that is named without a stack is that of its own events during the wait, if they show it.
 */
final class OwnerFinder {
    private static final String MONITOR_MUTEX = "a monitor lock";

    /** The slice of an idle pool thread, which holds no lock. */
    private static final String IDLE = "parking on java.util.concurrent.ForkJoinPool";

    private final Slices slices;
    private final Threads threads;
    private final Processes processes;
    private final LockContentionWaits contentions;
    private final ThreadRefFactory refs;
    private final WakeUps wakeUps;
    private final SliceStacks stacks;
    private final StackOwnerInference holders;
    private final CodeSiteFinder sites = new CodeSiteFinder(null);

    OwnerFinder(
            Trace trace, LockContentionWaits contentions, ThreadRefFactory refs, WakeUps wakeUps, SliceStacks stacks) {
        this.slices = trace.slices();
        this.threads = trace.threads();
        this.processes = trace.processes();
        this.contentions = contentions;
        this.refs = refs;
        this.wakeUps = wakeUps;
        this.stacks = stacks;
        this.holders = new StackOwnerInference(trace, refs, stacks, row -> contentions.of(row) != null);
    }

    /**
     * {@return the owners of the lock during a contention slice, by time, at least one; the first starts with the
     * slice}
     */
    List<BlameInterval> find(int utid, int row) {
        LockContention contention = contentions.get(row);
        List<BlameInterval> blames = switch (contention.kind()) {
            case MONITOR -> byNestedMutexes(utid, row, contention);
            case PARK -> byNestedParks(utid, row, contention);
            case RUNTIME, PTHREAD -> List.of();
        };
        if (!blames.isEmpty()) {
            return blames;
        }
        Owner owner = contention.kind() == Kind.MONITOR
                ? byName(utid, row, contention)
                : byTid(contention.ownerId(), utid, row, contention, Evidence.OWNER_NAMED);
        if (owner == null) {
            owner = byWaker(utid, row, contention);
        }
        if (owner.evidence() == Evidence.UNKNOWN && isInJvm(utid)) {
            List<BlameInterval> byStack = holders.find(utid, row);
            return byStack.isEmpty() ? List.of(new BlameInterval(slices.ts(row), owner)) : byStack;
        }
        return List.of(new BlameInterval(slices.ts(row), withStack(owner, row, row)));
    }

    /**
     * Recorders of Java programs write a nested slice for each further owner of a lock, each with the owner's stack.
     */
    private List<BlameInterval> byNestedParks(int utid, int row, LockContention outer) {
        List<BlameInterval> blames = new ArrayList<>();
        long end = slices.endNs(row);
        for (int inner = row; inner < slices.end(utid) && slices.ts(inner) < end; inner++) {
            LockContention park = inner == row ? outer : contentions.of(inner);
            if (park == null || park.kind() != Kind.PARK) {
                continue;
            }
            Owner owner = byTid(park.ownerId(), utid, inner, park, Evidence.OWNER_NAMED);
            if (owner != null
                    && (blames.isEmpty()
                            || blames.getLast().owner().thread().tid()
                                    != owner.thread().tid())) {
                blames.add(new BlameInterval(
                        blames.isEmpty() ? slices.ts(row) : slices.ts(inner), withStack(owner, row, inner)));
            }
        }
        return blames;
    }

    private List<BlameInterval> byNestedMutexes(int utid, int row, LockContention monitor) {
        List<BlameInterval> blames = new ArrayList<>();
        long end = slices.endNs(row);
        for (int inner = row + 1; inner < slices.end(utid) && slices.ts(inner) < end; inner++) {
            LockContention mutex = contentions.of(inner);
            if (mutex == null || mutex.kind() != Kind.RUNTIME || !mutex.lock().equals(MONITOR_MUTEX)) {
                continue;
            }
            boolean agree = isInJvm(utid)
                    || (mutex.ownerId() == monitor.ownerId() && matchesOwnerId(monitor, utid, slices.ts(inner)));
            Evidence evidence = agree ? Evidence.OWNER_NAMED : Evidence.OWNER_FROM_CHILD;
            Owner owner = byTid(mutex.ownerId(), utid, inner, monitor, evidence);
            if (owner == null && mutex.ownerId() == LockContention.NO_OWNER && isInJvm(utid)) {
                owner = ThreadRefFactory.unknownOwner();
            } else if (owner == null) {
                continue;
            }
            if (blames.isEmpty()) {
                blames.add(new BlameInterval(slices.ts(row), withStack(owner, row, inner)));
            } else if (blames.getLast().owner().thread().tid() != owner.thread().tid()) {
                blames.add(new BlameInterval(slices.ts(inner), withStack(owner, row, inner)));
            }
        }
        return blames;
    }

    /**
     * The owner with the stack that the wait's slice, or one inside it, records of it, or otherwise with that of its
     * own events during the wait.
     */
    private Owner withStack(Owner owner, int wait, int inner) {
        CallStack stack = stacks.ofOwner(inner);
        if (stack.isEmpty()) {
            return withOwnStack(owner, wait);
        }
        CodeLocation location = owner.location() == null ? sites.of(stack) : owner.location();
        return new Owner(owner.thread(), location, stack, owner.evidence());
    }

    private Owner withOwnStack(Owner owner, int wait) {
        return owner.location() == null
                        && owner.thread().isInTrace()
                        && isInJvm(owner.thread().utid())
                ? holders.withStack(owner, wait)
                : owner;
    }

    /**
     * A recording of a Java virtual machine has a nested slice for each owner of the monitor, also for an unknown one.
     */
    private boolean isInJvm(int utid) {
        return threads.upid(utid) >= 0 && processes.isJvm(threads.upid(utid));
    }

    /** The thread with a tid at the start of a slice; null if the runtime recorded none. */
    private @Nullable Owner byTid(int tid, int blocked, int row, LockContention named, Evidence evidence) {
        if (tid == LockContention.NO_OWNER || tid == threads.tid(blocked)) {
            return null;
        }
        int utid = threads.find(tid, slices.ts(row));
        if (utid < 0) {
            boolean isNamed = tid == named.ownerId();
            return new Owner(
                    ThreadRefFactory.notInTrace(tid, isNamed ? named.ownerName() : null),
                    isNamed ? named.ownerLocation() : null,
                    evidence);
        }
        return owner(utid, row, named, evidence);
    }

    private @Nullable Owner byName(int blocked, int row, LockContention named) {
        if (isInJvm(blocked)) {
            return byPreviousOwner(blocked, row, named);
        }
        long ts = slices.ts(row);
        int utid = matchesOwnerId(named, blocked, ts)
                ? threads.find(named.ownerId(), ts)
                : refs.onlyThreadNamed(named.ownerName(), threads.upid(blocked), blocked, ts);
        return utid < 0 ? null : owner(utid, row, named, Evidence.OWNER_NAMED);
    }

    /**
     * The previous owner that a Java virtual machine recorded when the wait ended. It may have started during the wait,
     * and its name may have changed: its tid identifies it, also if the trace has no other data on it.
     */
    private @Nullable Owner byPreviousOwner(int blocked, int row, LockContention named) {
        if (threads.find(named.ownerId(), slices.ts(row)) < 0) {
            int started = threads.find(named.ownerId(), slices.endNs(row));
            if (started >= 0 && started != blocked) {
                return owner(started, row, named, Evidence.OWNER_NAMED);
            }
        }
        return byTid(named.ownerId(), blocked, row, named, Evidence.OWNER_NAMED);
    }

    /** Whether the id in the slice's own name is the tid of a thread of the process with a matching name. */
    private boolean matchesOwnerId(LockContention named, int blocked, long ts) {
        int utid = threads.find(named.ownerId(), ts);
        return utid >= 0
                && utid != blocked
                && wakeUps.mayShareProcess(utid, blocked)
                && refs.canHaveName(named.ownerName(), utid);
    }

    private Owner byWaker(int blocked, int row, LockContention named) {
        int waker = slices.isOpen(row) ? -1 : wakeUps.lastWakerInProcess(blocked, slices.ts(row), slices.endNs(row));
        if (waker >= 0
                && !wasIdle(waker, slices.ts(row), slices.endNs(row))
                && (named.ownerName() == null || refs.canHaveName(named.ownerName(), waker))) {
            return owner(waker, row, named, Evidence.WAKER_INFERRED);
        }
        if (named.ownerId() == threads.tid(blocked) && refs.canHaveName(named.ownerName(), blocked)) {
            return ThreadRefFactory.unknownOwner(); // a thread does not wait for itself
        }
        ThreadRef unknown = ThreadRefFactory.notInTrace(ThreadRef.NOT_IN_TRACE, named.ownerName());
        return new Owner(unknown, named.ownerLocation(), Evidence.UNKNOWN);
    }

    private boolean wasIdle(int utid, long from, long to) {
        for (int row = slices.first(utid); row < slices.end(utid) && slices.ts(row) < to; row++) {
            if (slices.endNs(row) > from && slices.name(row).equals(IDLE)) {
                return true;
            }
        }
        return false;
    }

    /** The name and location of the slice hold only for a thread with a matching name. */
    private Owner owner(int utid, int row, LockContention named, Evidence evidence) {
        boolean matches = named.ownerName() == null || refs.canHaveName(named.ownerName(), utid);
        return new Owner(
                refs.during(utid, slices.ts(row), slices.endNs(row), matches ? named.ownerName() : null),
                matches ? named.ownerLocation() : null,
                evidence);
    }
}
