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
 * Waits for and of Android's garbage collector, by the slices of the runtime:
 *
 * <ul>
 *   <li>A thread of the program waits for the collector: to enter a JNI critical section before a thread flip, or for
 *       memory. The collector is the thread of the process with an open slice of a collection.
 *   <li>The collector waits for threads of the program: before the flip for one in a critical section, then for all to
 *       stop. The last one is its waker. A thread that sleeps in native code does not delay the stop of all threads, so
 *       a waker that slept before the flip was in a critical section.
 * </ul>
 *
 * <p>{@link SuspendCheckWaits} and {@link SuspendedThreadWaits} find the threads that the collector suspends. On other
 * Java virtual machines a thread waits for the start of a collection, which in turn waits for a thread in a critical
 * section: {@link JniCriticalSections}; without events of the wait: {@link JniCriticalWaits}.
 */
public final class ArtGcWaits implements WaitSource {
    private static final List<String> PROGRAM_WAITS = List.of(
            "IncrementalDisableThreadFlip", "IncrementDisableThreadFlip", "WaitForGcToComplete", "GC: Wait For ");
    private static final List<String> COLLECTOR_WAITS = List.of(
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
                trace, name -> startsWithAny(name, PROGRAM_WAITS) || startsWithAny(name, COLLECTOR_WAITS));
        this.collections = new SliceNameFilter(
                trace, name -> name.endsWith(COLLECTION) || name.equals(PAUSE) || startsWithAny(name, COLLECTOR_WAITS));
    }

    static boolean startsWithAny(String name, List<String> prefixes) {
        return prefixes.stream().anyMatch(name::startsWith);
    }

    @Override
    public void find(int utid, Consumer<BlockedInterval> found) {
        BlockedInterval.findSlices(this, slices, waits, utid, found);
    }

    @Override
    public Reason reason(BlockedInterval interval) {
        return new Reason(WaitKind.GC, slices.name(interval.row()));
    }

    @Override
    public List<BlameInterval> blameIntervals(BlockedInterval interval) {
        return isInCollection(slices.parent(interval.row())) ? blameProgram(interval) : blameCollector(interval);
    }

    /**
     * Whether a slice, or one around it, is a collection. Threads of the program have slices of the same names outside
     * of one.
     */
    private boolean isInCollection(int row) {
        for (int around = row; around >= 0; around = slices.parent(around)) {
            if (collections.test(around)) {
                return true;
            }
        }
        return false;
    }

    private List<BlameInterval> blameCollector(BlockedInterval interval) {
        long from = interval.startNs();
        long to = interval.endNs();
        int critical = criticals.lastEndedBefore(threads.upid(interval.utid()), interval.utid(), from, to);
        if (critical != JniCriticalSections.NONE) {
            ThreadRef thread = refs.during(slices.utid(critical), from, Math.min(to, slices.endNs(critical)), null);
            Owner owner = new Owner(thread, null, Evidence.OWNER_NAMED);
            return blameCritical(interval, owner, critical, OwnerState.JNI_CRITICAL, ThreadRefFactory.unknownOwner());
        }
        int call = criticalCalls.coveringMostOf(threads.upid(interval.utid()), interval.utid(), from, to);
        if (call != JniCriticalSections.NONE) { // the collector cannot stop the program
            Owner owner = criticalCalls.callerOf(call, refs, from, to);
            return blameCritical(interval, owner, call, OwnerState.CRITICAL_CALL, owner);
        }
        int collector = collector(interval.utid(), from, to);
        return List.of(
                collector >= 0
                        ? new BlameInterval(from, refs.namedOwner(collector, from, to))
                        : refs.blameWaker(interval, wakeUps));
    }

    /** The owner of a critical section or call until its end, then another owner. */
    private List<BlameInterval> blameCritical(
            BlockedInterval interval, Owner owner, int critical, OwnerState state, Owner then) {
        long end = Math.min(interval.endNs(), slices.endNs(critical));
        BlameInterval blame = new BlameInterval(interval.startNs(), owner, critical, state);
        return end < interval.endNs() ? List.of(blame, new BlameInterval(end, then)) : List.of(blame);
    }

    /**
     * {@return a thread of a thread's process with an open slice of a collection in the middle, at the start or at the
     * end of an interval; -1 if there is none}
     */
    int collector(int utid, long from, long to) {
        int upid = threads.upid(utid);
        if (upid < 0) {
            return -1;
        }
        for (long ts : new long[] {from + (to - from) / 2, from, to - 1}) {
            for (int thread : threadsOf.computeIfAbsent(upid, this::threadsWithSlices)) {
                if (thread != utid && isInCollection(slices.innermostAt(thread, ts))) {
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

    /** First the last thread in a critical section, then the last one to stop. */
    private List<BlameInterval> blameProgram(BlockedInterval interval) {
        long from = interval.startNs();
        long to = interval.endNs();
        String name = slices.name(interval.row());
        if (!name.equals(FLIP) && !name.equals(CRITICAL)) {
            return List.of(blameWaker(interval, from, to, OwnerState.SLEEPING));
        }
        long suspension = suspensionStart(interval.row(), to);
        List<BlameInterval> blames = new ArrayList<>(2);
        if (suspension > from) {
            blames.add(blameWaker(interval, from, suspension, OwnerState.JNI_CRITICAL));
        }
        if (suspension < to) {
            blames.add(blameWaker(interval, suspension, to, OwnerState.SLEEPING));
        }
        return blames;
    }

    private BlameInterval blameWaker(BlockedInterval interval, long from, long to, OwnerState offCpuState) {
        int waker = wakeUps.lastWakerInProcess(interval.utid(), from, to);
        return new BlameInterval(
                from, refs.ownerByWaker(waker, from, to), -1, waker < 0 ? OwnerState.SLEEPING : offCpuState);
    }

    /** The end of the wait for critical sections: the start of the first nested slice that suspends threads. */
    private long suspensionStart(int flip, long end) {
        int utid = slices.utid(flip);
        for (int row = flip + 1; row < slices.end(utid) && slices.ts(row) < end; row++) {
            if (slices.parent(row) == flip && !slices.name(row).equals(CRITICAL)) {
                return slices.ts(row);
            }
        }
        return end;
    }
}
