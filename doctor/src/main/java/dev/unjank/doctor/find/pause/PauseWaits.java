package dev.unjank.doctor.find.pause;

import dev.unjank.doctor.find.activity.ActivityInterval;
import dev.unjank.doctor.find.activity.OffSchedulerActivity;
import dev.unjank.doctor.find.lock.LockContentionParser;
import dev.unjank.doctor.find.thread.ThreadRefFactory;
import dev.unjank.doctor.find.wait.BlockedInterval;
import dev.unjank.doctor.find.wait.WaitIndex;
import dev.unjank.doctor.model.CodeLocation;
import dev.unjank.doctor.model.Evidence;
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
import org.jspecify.annotations.Nullable;

/**
 * The times in which all threads of a process stood still, as waits of all of them: one each, however many threads there are. A virtual
 * machine held them still: then the fault is the collector's or the machine's own, or that of the thread which asked for it. Or
 * somebody stopped the process from outside.
 */
public final class PauseWaits {
    private static final String COLLECTOR = "the garbage collector";
    private static final String MACHINE = "the virtual machine";
    private static final String GC_CALL = "System.gc()";
    private static final String FROM = GC_CALL + " from ";

    private static final long SHORTLY_NS = 1_000_000_000;

    private final JvmPauses stops;
    private final ProcessStops halts;
    private final Slices slices;
    private final Threads threads;
    private final Processes processes;
    private final ThreadRefFactory refs;
    private final WaitIndex waits;
    private final OffSchedulerActivity offScheduler;
    private final JniCriticalSections criticalCalls;

    public PauseWaits(
            Trace trace,
            JvmPauses stops,
            ProcessStops halts,
            ThreadRefFactory refs,
            WaitIndex waits,
            OffSchedulerActivity offScheduler) {
        this.stops = stops;
        this.halts = halts;
        this.slices = trace.slices();
        this.threads = trace.threads();
        this.processes = trace.processes();
        this.refs = refs;
        this.waits = waits;
        this.offScheduler = offScheduler;
        criticalCalls = JniCriticalSections.calls(trace);
    }

    /** The stops of the processes of some threads. */
    public List<Wait> of(BitSet utids) {
        List<Wait> found = new ArrayList<>();
        BitSet upids = new BitSet();
        utids.stream().map(threads::upid).filter(upid -> upid >= 0).forEach(upids::set);
        upids.stream().forEach(upid -> {
            if (processes.isJvm(upid)) {
                stops.of(upid).forEach(stop -> found.add(wait(stop)));
            }
            halts.of(upid).forEach(halt -> found.add(wait(halt)));
        });
        return found;
    }

    /**
     * Whether one of some threads wanted to go on during a stop: it was neither idle throughout, nor waiting for somebody else anyway,
     * which is a wait of its own.
     */
    public boolean delays(Wait standstill, BitSet utids) {
        return threadsOf(standstill.thread().upid(), utids).stream()
                .anyMatch(utid -> isDelayed(utid, standstill.startNs(), standstill.endNs()));
    }

    private BitSet threadsOf(int upid, BitSet utids) {
        BitSet its = new BitSet();
        utids.stream().filter(utid -> threads.upid(utid) == upid).forEach(its::set);
        return its;
    }

    /**
     * Whether one of some threads wanted to go on during a stop, and was seen at work shortly before or after it. While it is stopped
     * from outside, a sleep that was to be short lasts as long as the stop, and looks as if it had wanted nothing.
     */
    public boolean delaysEventLoop(Wait standstill, BitSet utids) {
        long from = standstill.startNs();
        long to = standstill.endNs();
        boolean fromOutside = standstill.kind() == WaitKind.STOP;
        return threadsOf(standstill.thread().upid(), utids).stream()
                .anyMatch(utid -> (fromOutside || isDelayed(utid, from, to))
                        && offScheduler.hasActivity(utid, from - SHORTLY_NS, to + SHORTLY_NS));
    }

    private boolean isDelayed(int utid, long from, long to) {
        if (threads.startNs(utid) >= to || threads.endNs(utid) <= from || offScheduler.isIdle(utid, from, to)) {
            return false;
        }
        BlockedInterval[] its = waits.outermost(utid);
        int i = WaitIndex.firstEndingAfter(its, from);
        return i == its.length || its[i].startNs() > from || its[i].endNs() < to;
    }

    private Wait wait(Pause stop) {
        Owner owner = owner(stop);
        List<Segment> parts = stop.spans().stream()
                .map(span -> new Segment(
                        span.state(),
                        span.from(),
                        span.to() - span.from(),
                        owner.thread(),
                        span.detail(),
                        List.of(),
                        List.of(),
                        null))
                .toList();
        return new Wait(
                stop.kind(),
                refs.allOf(stop.upid()),
                stop.what(),
                null,
                0,
                stop.startNs(),
                stop.durNs(),
                stop.unfinished(),
                List.of(new OwnerInterval(owner, stop.startNs(), stop.durNs(), parts)));
    }

    private Owner owner(Pause stop) {
        if (stop.kind() == WaitKind.STOP) {
            return new Owner(ThreadRefFactory.notInTrace(ThreadRef.NOT_IN_TRACE, null), null, Evidence.SCHEDULER);
        }
        long at = stop.startNs();
        int critical = criticalCall(stop);
        if (critical != JniCriticalSections.NONE) {
            return criticalCalls.callerOf(critical, refs, at, stop.endNs());
        }
        int call = stop.isRequested() ? gcCall(stop) : -1;
        if (call >= 0) {
            return new Owner(refs.during(slices.utid(call), at, stop.endNs(), null), site(call), Evidence.OWNER_NAMED);
        }
        Pause.Caller caller = stop.isRequested() ? stop.caller() : null;
        int utid = caller == null ? -1 : threads.find(caller.tid(), at);
        if (utid >= 0) {
            return new Owner(refs.during(utid, at, stop.endNs(), null), null, Evidence.OWNER_NAMED);
        }
        ThreadRef somebody = caller != null
                ? ThreadRefFactory.notInTrace(caller.tid(), caller.name())
                : ThreadRefFactory.notInTrace(ThreadRef.NOT_IN_TRACE, stop.kind() == WaitKind.GC ? COLLECTOR : MACHINE);
        return new Owner(somebody, null, Evidence.OWNER_NAMED);
    }

    /** The critical call of a thread that kept the others waiting for most of a stop. */
    private int criticalCall(Pause stop) {
        for (ActivityInterval span : stop.spans()) {
            if (span.state() == OwnerState.REACHING_SAFEPOINT && 2 * (span.to() - span.from()) > stop.durNs()) {
                return criticalCalls.lastEndedBefore(stop.upid(), -1, span.from(), span.to());
            }
        }
        return JniCriticalSections.NONE;
    }

    /** The slice of a thread of the process that calls for a collection when a stop begins; -1 if there is none. */
    private int gcCall(Pause stop) {
        if (stop.kind() == WaitKind.GC) {
            for (int utid = 0; utid < threads.size(); utid++) {
                if (threads.upid(utid) == stop.upid()) {
                    for (int row = slices.innermostAt(utid, stop.startNs()); row >= 0; row = slices.parent(row)) {
                        if (slices.name(row).startsWith(GC_CALL)) {
                            return row;
                        }
                    }
                }
            }
        }
        return -1;
    }

    private @Nullable CodeLocation site(int call) {
        String name = slices.name(call);
        return name.startsWith(FROM) ? LockContentionParser.site(name.substring(FROM.length())) : null;
    }
}
