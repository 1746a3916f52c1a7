package dev.unjank.doctor.find.lock;

import dev.unjank.doctor.find.lock.LockContention.Kind;
import dev.unjank.doctor.find.thread.ThreadRefFactory;
import dev.unjank.doctor.find.wait.BlameInterval;
import dev.unjank.doctor.find.wait.WakeUps;
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
 * Finds who owned the lock of a contention slice. In this order:
 *
 * <ol>
 *   <li>the runtime's lock slices inside a monitor's give the owner's tid; if there are several, the monitor went from hand
 *       to hand, and each counts from its beginning. Where the number in the monitor's own slice says the same, the runtime
 *       itself named the owner. So do slices within that of a lock of {@code java.util.concurrent};
 *   <li>the number in the slice's own name, if a thread of that tid lived then in the same process and its name agrees. On
 *       Android 12 and 13 the number is the runtime's own: it then fits no thread;
 *   <li>the name in the slice's name, if exactly one thread of the process that lived then can bear it;
 *   <li>if the runtime named nobody, the thread that woke the blocked one last before it got the lock; not one that was idle
 *       meanwhile, as a carrier is that took the virtual thread with the lock aboard for its last stretch only.
 * </ol>
 */
final class OwnerFinder {
    private static final String MONITOR_MUTEX = "a monitor lock";

    /** What a pool's thread does that has nothing to do, and so no lock. */
    private static final String IDLE = "parking on java.util.concurrent.ForkJoinPool";

    private final Slices slices;
    private final Threads threads;
    private final Processes processes;
    private final LockContentionWaits contentions;
    private final ThreadRefFactory refs;
    private final WakeUps wakeUps;
    private final OwnerStacks stacks;

    OwnerFinder(Trace trace, LockContentionWaits contentions, ThreadRefFactory refs, WakeUps wakeUps) {
        this.slices = trace.slices();
        this.threads = trace.threads();
        this.processes = trace.processes();
        this.contentions = contentions;
        this.refs = refs;
        this.wakeUps = wakeUps;
        this.stacks = new OwnerStacks(trace);
    }

    /**
     * {@return who had the lock during a contention slice, in order of time, at least one; the first from the slice's
     * beginning}
     */
    List<BlameInterval> find(int utid, int row) {
        LockContention contention = contentions.get(row);
        List<BlameInterval> blames = switch (contention.kind()) {
            case MONITOR -> byInnerSlices(utid, row, contention);
            case PARK -> byInnerParks(utid, row, contention);
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
        return List.of(new BlameInterval(slices.ts(row), owner));
    }

    /** Recorders write a slice within the first for each further owner of a lock that they saw, and of each where it was. */
    private List<BlameInterval> byInnerParks(int utid, int row, LockContention outer) {
        List<BlameInterval> blames = new ArrayList<>();
        long end = slices.endNs(row);
        for (int inner = row; inner < slices.end(utid) && slices.ts(inner) < end; inner++) {
            LockContention park = inner == row ? outer : contentions.of(inner);
            if (park == null || park.kind() != Kind.PARK) {
                continue;
            }
            Owner owner = byTid(park.ownerId(), utid, inner, park.at(stacks.site(inner)), Evidence.OWNER_NAMED);
            if (owner != null
                    && (blames.isEmpty()
                            || blames.getLast().owner().thread().tid()
                                    != owner.thread().tid())) {
                blames.add(new BlameInterval(blames.isEmpty() ? slices.ts(row) : slices.ts(inner), owner));
            }
        }
        return blames;
    }

    private List<BlameInterval> byInnerSlices(int utid, int row, LockContention monitor) {
        List<BlameInterval> blames = new ArrayList<>();
        long end = slices.endNs(row);
        for (int inner = row + 1; inner < slices.end(utid) && slices.ts(inner) < end; inner++) {
            LockContention mutex = contentions.of(inner);
            if (mutex == null || mutex.kind() != Kind.RUNTIME || !mutex.lock().equals(MONITOR_MUTEX)) {
                continue;
            }
            boolean agree = mutex.ownerId() == monitor.ownerId() && fits(monitor, utid, slices.ts(inner));
            Evidence evidence = agree ? Evidence.OWNER_NAMED : Evidence.OWNER_FROM_CHILD;
            Owner owner = byTid(mutex.ownerId(), utid, inner, monitor, evidence);
            if (owner == null && mutex.ownerId() == LockContention.NO_OWNER && isInJvm(utid)) {
                owner = new Owner(ThreadRefFactory.notInTrace(ThreadRef.NOT_IN_TRACE, null), null, Evidence.UNKNOWN);
            } else if (owner == null) {
                continue;
            }
            if (blames.isEmpty()) {
                blames.add(new BlameInterval(slices.ts(row), owner));
            } else if (blames.getLast().owner().thread().tid() != owner.thread().tid()) {
                blames.add(new BlameInterval(slices.ts(inner), owner));
            }
        }
        return blames;
    }

    /** A recording of a Java virtual machine says of each stretch of a wait who had the monitor, or that nobody knows. */
    private boolean isInJvm(int utid) {
        return threads.upid(utid) >= 0 && processes.isJvm(threads.upid(utid));
    }

    /** The owner that has a tid when the slice of {@code row} begins; null if the runtime gave none. */
    private @Nullable Owner byTid(int tid, int blocked, int row, LockContention named, Evidence evidence) {
        if (tid == LockContention.NO_OWNER || tid == threads.tid(blocked)) {
            return null;
        }
        int utid = threads.find(tid, slices.ts(row));
        if (utid < 0) {
            return new Owner(ThreadRefFactory.notInTrace(tid, named.ownerName()), named.ownerSite(), evidence);
        }
        return owner(utid, row, named, evidence);
    }

    private @Nullable Owner byName(int blocked, int row, LockContention named) {
        long ts = slices.ts(row);
        int utid = fits(named, blocked, ts)
                ? threads.find(named.ownerId(), ts)
                : refs.onlyThreadNamed(named.ownerName(), threads.upid(blocked), blocked, ts);
        return utid < 0 ? null : owner(utid, row, named, Evidence.OWNER_NAMED);
    }

    /** True if the number in the slice's own name is the tid of a thread that it can mean. */
    private boolean fits(LockContention named, int blocked, long ts) {
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
        ThreadRef unseen = ThreadRefFactory.notInTrace(ThreadRef.NOT_IN_TRACE, named.ownerName());
        return new Owner(unseen, named.ownerSite(), Evidence.UNKNOWN);
    }

    private boolean wasIdle(int utid, long from, long to) {
        for (int row = slices.first(utid); row < slices.end(utid) && slices.ts(row) < to; row++) {
            if (slices.endNs(row) > from && slices.name(row).equals(IDLE)) {
                return true;
            }
        }
        return false;
    }

    /** What the slice says of the owner's code holds for the thread it names only. */
    private Owner owner(int utid, int row, LockContention named, Evidence evidence) {
        boolean meant = named.ownerName() == null || refs.canHaveName(named.ownerName(), utid);
        String name = meant ? named.ownerName() : null;
        return new Owner(
                refs.during(utid, slices.ts(row), slices.endNs(row), name), meant ? named.ownerSite() : null, evidence);
    }
}
