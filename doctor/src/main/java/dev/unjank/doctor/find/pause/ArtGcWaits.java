package dev.unjank.doctor.find.pause;

import dev.unjank.doctor.find.thread.ThreadRefFactory;
import dev.unjank.doctor.find.wait.BlameInterval;
import dev.unjank.doctor.find.wait.BlockedInterval;
import dev.unjank.doctor.find.wait.WaitSource;
import dev.unjank.doctor.find.wait.WakeUps;
import dev.unjank.doctor.model.Evidence;
import dev.unjank.doctor.model.Owner;
import dev.unjank.doctor.model.OwnerState;
import dev.unjank.doctor.model.ThreadRef;
import dev.unjank.doctor.model.WaitKind;
import dev.unjank.trace.model.SliceNameFilter;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.Threads;
import dev.unjank.trace.model.Trace;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Waits of Android's runtime around the garbage collector, told by its slices. There are two sides:
 *
 * <ul>
 *   <li>A thread of the program waits for the collector: it wants to enter a JNI critical section while the collector is about
 *       to flip, or needs memory. The collector is the thread of the process with a collector's slice open.
 *   <li>The collector waits for threads of the program: for one inside a critical section before it flips, then for all to
 *       stop. Whoever wakes it was the last it waited for. A thread that sleeps in native code does not keep others from
 *       stopping all threads, so one that slept and is yet waited for before the flip was in a critical section.
 * </ul>
 *
 * <p>Threads that the collector holds still have sources of their own: {@link SuspendCheckWaits}, {@link SuspendedThreadWaits}. A thread of a
 * Java virtual machine elsewhere waits for a collection to begin, which in turn waits for a thread inside a critical
 * section: {@link JniCriticalSections}; where no event tells that it does: {@link JniCriticalWaits}.
 */
public final class ArtGcWaits implements WaitSource {
    private static final List<String> OF_PROGRAM = List.of(
            "IncrementalDisableThreadFlip", "IncrementDisableThreadFlip", "WaitForGcToComplete", "GC: Wait For ");
    private static final List<String> OF_COLLECTOR = List.of(
            "FlipThreadRoots", "ThreadFlip", "ThreadListFlip", "RunningThreadFlips", "Suspending mutator threads");
    private static final String FLIP = "FlipThreadRoots";
    private static final String CRITICAL = "ThreadFlipBegin";
    private static final String COLLECTION = " GC";
    private static final String PAUSE = "Mutator threads suspended for ScopedPause";

    private final Slices slices;
    private final Threads threads;
    private final ThreadRefFactory refs;
    private final WakeUps wakeUps;
    private final SliceNameFilter waits;
    private final SliceNameFilter collections;
    private final JniCriticalSections criticals;
    private final JniCriticalSections criticalCalls;
    private final Map<Integer, List<Integer>> threadsOf = new ConcurrentHashMap<>();

    public ArtGcWaits(Trace trace, ThreadRefFactory refs, WakeUps wakeUps, JniCriticalSections criticals) {
        this.slices = trace.slices();
        this.threads = trace.threads();
        this.refs = refs;
        this.wakeUps = wakeUps;
        this.criticals = criticals;
        this.criticalCalls = JniCriticalSections.calls(trace);
        this.waits = new SliceNameFilter(
                trace, name -> startsWithOneOf(name, OF_PROGRAM) || startsWithOneOf(name, OF_COLLECTOR));
        this.collections = new SliceNameFilter(
                trace, name -> name.endsWith(COLLECTION) || name.equals(PAUSE) || startsWithOneOf(name, OF_COLLECTOR));
    }

    private static boolean startsWithOneOf(String name, List<String> beginnings) {
        for (String beginning : beginnings) {
            if (name.startsWith(beginning)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void find(int utid, Consumer<BlockedInterval> found) {
        int end = slices.end(utid);
        for (int row = waits.next(slices.first(utid), end); row < end; row = waits.next(row + 1, end)) {
            if (slices.dur(row) > 0) {
                found.accept(
                        new BlockedInterval(this, utid, row, slices.ts(row), slices.endNs(row), slices.isOpen(row)));
            }
        }
    }

    @Override
    public Reason reason(BlockedInterval interval) {
        return new Reason(WaitKind.GC, slices.name(interval.row()));
    }

    @Override
    public List<BlameInterval> blameIntervals(BlockedInterval interval) {
        return isCollectors(interval.row()) ? claimsOnProgram(interval) : claimsOnCollector(interval);
    }

    /** The program's threads may wait in slices of the same names, but not within a collection. */
    private boolean isCollectors(int row) {
        for (int around = slices.parent(row); around >= 0; around = slices.parent(around)) {
            if (collections.test(around)) {
                return true;
            }
        }
        return false;
    }

    private List<BlameInterval> claimsOnCollector(BlockedInterval interval) {
        long from = interval.startNs();
        long to = interval.endNs();
        int critical = criticals.lastEndedBefore(threads.upid(interval.utid()), interval.utid(), from, to);
        if (critical != JniCriticalSections.NONE) {
            ThreadRef thread = refs.during(slices.utid(critical), from, Math.min(to, slices.endNs(critical)), null);
            Owner owner = new Owner(thread, null, Evidence.OWNER_NAMED);
            Owner collector = refs.ownerByWaker(-1, from, to);
            return claimsOnCritical(interval, owner, critical, OwnerState.JNI_CRITICAL, collector);
        }
        int call = criticalCalls.mostOf(threads.upid(interval.utid()), interval.utid(), from, to);
        if (call != JniCriticalSections.NONE) { // the collector cannot stop the program
            Owner owner = criticalCalls.callerOf(call, refs, from, to);
            return claimsOnCritical(interval, owner, call, OwnerState.CRITICAL_CALL, owner);
        }
        int collector = collector(interval.utid(), from, to);
        if (collector >= 0) {
            return List.of(new BlameInterval(
                    from, new Owner(refs.during(collector, from, to, null), null, Evidence.OWNER_NAMED)));
        }
        int waker = interval.open() ? -1 : wakeUps.lastWakerInProcess(interval.utid(), from, to);
        return List.of(new BlameInterval(from, refs.ownerByWaker(waker, from, to)));
    }

    /** The collector waits until the section or the call has been left, and what follows is for it to do, or for its owner to notice. */
    private List<BlameInterval> claimsOnCritical(
            BlockedInterval interval, Owner owner, int critical, OwnerState meanwhile, Owner then) {
        long left = Math.min(interval.endNs(), slices.endNs(critical));
        List<BlameInterval> blames = new ArrayList<>(2);
        blames.add(new BlameInterval(interval.startNs(), owner, critical, meanwhile));
        if (left < interval.endNs()) {
            blames.add(new BlameInterval(left, then));
        }
        return blames;
    }

    /** {@return the thread of a thread's process that has a collector's slice open at the beginning, in the middle or at the end of an interval, -1 if
     * there is none} */
    int collector(int utid, long from, long to) {
        int upid = threads.upid(utid);
        if (upid < 0) {
            return -1;
        }
        for (long ts : new long[] {from + (to - from) / 2, from, to - 1}) {
            for (int thread : threadsOf.computeIfAbsent(upid, this::threadsWithSlices)) {
                if (thread != utid && collects(thread, ts)) {
                    return thread;
                }
            }
        }
        return -1;
    }

    private List<Integer> threadsWithSlices(int upid) {
        List<Integer> found = new ArrayList<>();
        for (int utid = 0; utid < threads.size(); utid++) {
            if (threads.upid(utid) == upid && slices.first(utid) < slices.end(utid)) {
                found.add(utid);
            }
        }
        return found;
    }

    private boolean collects(int utid, long ts) {
        for (int row = slices.innermostAt(utid, ts); row >= 0; row = slices.parent(row)) {
            if (collections.test(row)) {
                return true;
            }
        }
        return false;
    }

    /** First for the last thread in a critical section, then for the last one to stop. */
    private List<BlameInterval> claimsOnProgram(BlockedInterval interval) {
        long from = interval.startNs();
        long to = interval.endNs();
        String name = slices.name(interval.row());
        if (!name.equals(FLIP) && !name.equals(CRITICAL)) {
            return List.of(claimByWaker(interval, from, to, OwnerState.SLEEPING));
        }
        long stops = beginOfFlip(interval.row(), to);
        List<BlameInterval> blames = new ArrayList<>(2);
        if (stops > from) {
            blames.add(claimByWaker(interval, from, stops, OwnerState.JNI_CRITICAL));
        }
        if (stops < to) {
            blames.add(claimByWaker(interval, stops, to, OwnerState.SLEEPING));
        }
        return blames;
    }

    private BlameInterval claimByWaker(BlockedInterval interval, long from, long to, OwnerState idleness) {
        int waker = wakeUps.lastWakerInProcess(interval.utid(), from, to);
        return new BlameInterval(
                from, refs.ownerByWaker(waker, from, to), -1, waker < 0 ? OwnerState.SLEEPING : idleness);
    }

    /** When the collector had all critical sections behind it: the first slice within that is about stopping threads. */
    private long beginOfFlip(int flip, long end) {
        int utid = slices.utid(flip);
        for (int row = flip + 1; row < slices.end(utid) && slices.ts(row) < end; row++) {
            if (slices.parent(row) == flip && !slices.name(row).equals(CRITICAL)) {
                return slices.ts(row);
            }
        }
        return end;
    }
}
