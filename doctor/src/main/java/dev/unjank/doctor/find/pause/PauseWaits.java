package dev.unjank.doctor.find.pause;

import dev.unjank.doctor.find.activity.ActivityInterval;
import dev.unjank.doctor.find.activity.OffSchedulerActivity;
import dev.unjank.doctor.find.code.CodeLocationParser;
import dev.unjank.doctor.find.code.SliceStacks;
import dev.unjank.doctor.find.thread.ThreadRefFactory;
import dev.unjank.doctor.find.wait.BlockedInterval;
import dev.unjank.doctor.find.wait.WaitIndex;
import dev.unjank.doctor.model.CodeLocation;
import dev.unjank.doctor.model.Evidence;
import dev.unjank.doctor.model.GenericTerm;
import dev.unjank.doctor.model.Owner;
import dev.unjank.doctor.model.OwnerInterval;
import dev.unjank.doctor.model.OwnerState;
import dev.unjank.doctor.model.Segment;
import dev.unjank.doctor.model.ThreadRef;
import dev.unjank.doctor.model.Wait;
import dev.unjank.doctor.model.WaitKind;
import dev.unjank.trace.model.Processes;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.Threads;
import dev.unjank.trace.model.Trace;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The pauses of processes, each as one wait of all threads. The owner of a safepoint or GC pause is the thread that
 * requested it, otherwise the collector or the virtual machine; a stop from outside has none.
 */
public final class PauseWaits {
    private static final String GC_CALL = "System.gc()";
    private static final String FROM = GC_CALL + " from ";

    /** The time before and after a pause in which an event loop must be active to count as delayed. */
    private static final long ACTIVITY_RANGE_NS = 1_000_000_000;

    private final JvmPauses jvmPauses;
    private final ProcessStops processStops;
    private final Slices slices;
    private final SliceStacks stacks;
    private final Threads threads;
    private final Processes processes;
    private final ThreadRefFactory refs;
    private final WaitIndex waits;
    private final OffSchedulerActivity offScheduler;
    private final JniCriticalSections criticalCalls;

    public PauseWaits(
            Trace trace,
            JvmPauses jvmPauses,
            ProcessStops processStops,
            ThreadRefFactory refs,
            WaitIndex waits,
            OffSchedulerActivity offScheduler) {
        this.jvmPauses = jvmPauses;
        this.processStops = processStops;
        this.slices = trace.slices();
        this.stacks = new SliceStacks(trace);
        this.threads = trace.threads();
        this.processes = trace.processes();
        this.refs = refs;
        this.waits = waits;
        this.offScheduler = offScheduler;
        criticalCalls = JniCriticalSections.calls(trace);
    }

    /** {@return the pauses of the processes of some threads} */
    public List<Wait> of(BitSet utids) {
        List<Wait> found = new ArrayList<>();
        BitSet upids = new BitSet();
        utids.stream().map(threads::upid).filter(upid -> upid >= 0).forEach(upids::set);
        upids.stream().forEach(upid -> {
            if (processes.isJvm(upid)) {
                jvmPauses.of(upid).forEach(pause -> found.add(wait(pause)));
            }
            processStops.of(upid).forEach(pause -> found.add(wait(pause)));
        });
        return found;
    }

    /**
     * {@return whether a pause delayed one of some threads: it was neither idle throughout, nor in a wait of its own}
     */
    public boolean delays(Wait pause, BitSet utids) {
        return threadsOf(pause, utids).anyMatch(utid -> isDelayed(utid, pause.startNs(), pause.endNs()));
    }

    private IntStream threadsOf(Wait pause, BitSet utids) {
        int upid = pause.thread().upid();
        return utids.stream().filter(utid -> threads.upid(utid) == upid);
    }

    /**
     * {@return whether a pause delayed one of some threads that was active shortly before or after it} During a stop
     * from outside, a short sleep lasts as long as the stop and looks idle, so that any such thread counts.
     */
    public boolean delaysEventLoop(Wait pause, BitSet utids) {
        long from = pause.startNs();
        long to = pause.endNs();
        boolean fromOutside = pause.kind() == WaitKind.STOP;
        return threadsOf(pause, utids)
                .anyMatch(utid -> (fromOutside || isDelayed(utid, from, to))
                        && offScheduler.hasActivity(utid, from - ACTIVITY_RANGE_NS, to + ACTIVITY_RANGE_NS));
    }

    private boolean isDelayed(int utid, long from, long to) {
        if (threads.startNs(utid) >= to || threads.endNs(utid) <= from || offScheduler.isIdle(utid, from, to)) {
            return false;
        }
        BlockedInterval[] intervals = waits.outermost(utid);
        int i = WaitIndex.firstEndingAfter(intervals, from);
        return i == intervals.length || intervals[i].startNs() > from || intervals[i].endNs() < to;
    }

    private Wait wait(Pause pause) {
        Owner owner = owner(pause);
        List<Segment> parts = pause.intervals().stream()
                .map(interval -> new Segment(
                        interval.state(),
                        interval.from(),
                        interval.to() - interval.from(),
                        owner.thread(),
                        interval.detail(),
                        List.of(),
                        List.of(),
                        null))
                .toList();
        return new Wait(
                pause.kind(),
                refs.allOf(pause.upid()),
                pause.operation(),
                null,
                0,
                pause.startNs(),
                pause.durNs(),
                pause.unfinished(),
                List.of(new OwnerInterval(owner, pause.startNs(), pause.durNs(), parts)));
    }

    private Owner owner(Pause pause) {
        if (pause.kind() == WaitKind.STOP) {
            return new Owner(ThreadRefFactory.notInTrace(ThreadRef.NOT_IN_TRACE, null), null, Evidence.WAITER_EVENTS);
        }
        long from = pause.startNs();
        long to = pause.endNs();
        int critical = criticalCall(pause);
        if (critical != JniCriticalSections.NONE) {
            return criticalCalls.callerOf(critical, refs, from, to);
        }
        int call = pause.isRequested() ? gcCall(pause) : -1;
        if (call >= 0) {
            return new Owner(
                    refs.during(slices.utid(call), from, to, null),
                    location(call),
                    stacks.ofWaiter(call),
                    Evidence.OWNER_NAMED);
        }
        Pause.Caller caller = pause.isRequested() ? pause.caller() : null;
        int utid = caller == null ? -1 : threads.find(caller.tid(), from);
        if (utid >= 0) {
            return refs.namedOwner(utid, from, to);
        }
        ThreadRef thread = caller != null
                ? ThreadRefFactory.notInTrace(caller.tid(), caller.name())
                : ThreadRefFactory.notInTrace(
                        ThreadRef.NOT_IN_TRACE,
                        (pause.kind() == WaitKind.GC ? GenericTerm.GARBAGE_COLLECTOR : GenericTerm.VIRTUAL_MACHINE)
                                .text());
        return new Owner(thread, null, Evidence.OWNER_NAMED);
    }

    /** The critical call that delayed the safepoint for most of a pause. */
    private int criticalCall(Pause pause) {
        for (ActivityInterval interval : pause.intervals()) {
            if (interval.state() == OwnerState.REACHING_SAFEPOINT
                    && 2 * (interval.to() - interval.from()) > pause.durNs()) {
                return criticalCalls.lastEndedBefore(pause.upid(), -1, interval.from(), interval.to());
            }
        }
        return JniCriticalSections.NONE;
    }

    /** The {@code System.gc()} slice of a thread of the process at the start of a pause; -1 if there is none. */
    private int gcCall(Pause pause) {
        if (pause.kind() == WaitKind.GC) {
            for (int utid = 0; utid < threads.size(); utid++) {
                if (threads.upid(utid) == pause.upid()) {
                    for (int row = slices.innermostAt(utid, pause.startNs()); row >= 0; row = slices.parent(row)) {
                        if (slices.name(row).startsWith(GC_CALL)) {
                            return row;
                        }
                    }
                }
            }
        }
        return -1;
    }

    private @Nullable CodeLocation location(int call) {
        String name = slices.name(call);
        return name.startsWith(FROM) ? CodeLocationParser.location(name.substring(FROM.length())) : null;
    }
}
