package dev.unjank.doctor.find.pause;

import dev.unjank.doctor.find.activity.OffSchedulerActivity;
import dev.unjank.doctor.find.thread.ThreadRefFactory;
import dev.unjank.doctor.find.wait.BlameInterval;
import dev.unjank.doctor.find.wait.BlockedInterval;
import dev.unjank.doctor.find.wait.WaitSource;
import dev.unjank.doctor.model.OwnerState;
import dev.unjank.doctor.model.WaitKind;
import dev.unjank.trace.model.Processes;
import dev.unjank.trace.model.SchedState;
import dev.unjank.trace.model.ThreadStates;
import dev.unjank.trace.model.Threads;
import dev.unjank.trace.model.Trace;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Sleeps of a Java virtual machine's threads until another one has left its JNI critical section, where no event tells of them: that is
 * Java 17 under Serial, Parallel and G1. There whoever leaves the last section does three things at once: it leaves, has the collection
 * done that the section kept from beginning, and then wakes those that slept for it. A sleep counts if it has just that at its end: it
 * began while the thread that ended it was in a section, and between that section and the wake-up lies the collection, with which that
 * thread did next to nothing else. A wait for something that the thread told itself (a park, a sleep, a call for I/O) is none.
 */
public final class JniCriticalWaits implements WaitSource {
    /** For what Java 17's clock, which tells of collections, may be off against the scheduler's. */
    private static final long CLOCKS_NS = 1_000_000;

    /** So long a thread runs at most from leaving its section to the collection, and so long from there to waking the others. */
    private static final long AT_ONCE_NS = 2 * CLOCKS_NS;

    private static final String CAUSE = "(GCLocker Initiated GC)";

    private final ThreadStates states;
    private final Threads threads;
    private final Processes processes;
    private final ThreadRefFactory refs;
    private final JvmPauses stops;
    private final OffSchedulerActivity offScheduler;
    private final JniCriticalSections sections;

    public JniCriticalWaits(
            Trace trace,
            ThreadRefFactory refs,
            JniCriticalSections sections,
            JvmPauses stops,
            OffSchedulerActivity offScheduler) {
        this.states = trace.threadStates();
        this.threads = trace.threads();
        this.processes = trace.processes();
        this.refs = refs;
        this.sections = sections;
        this.stops = stops;
        this.offScheduler = offScheduler;
    }

    @Override
    public void find(int utid, Consumer<BlockedInterval> found) {
        int upid = threads.upid(utid);
        if (upid < 0 || !processes.isJvm(upid) || states.first(utid) == states.end(utid) || sections.isEmpty(upid)) {
            return;
        }
        List<Pause> all = stops.of(upid);
        int told = -1;
        for (int i = 0; i < all.size(); i++) {
            int row = sleepAt(utid, all.get(i).startNs());
            if (row > told && section(utid, row, all.get(i)) != JniCriticalSections.NONE) {
                told = row;
                found.accept(new BlockedInterval(this, utid, i, states.ts(row), states.endNs(row), false));
            }
        }
    }

    /** The row of the sleep in which a thread is at a moment, if another one ended it; -1 if there is none. */
    private int sleepAt(int utid, long ts) {
        int row = states.at(utid, ts);
        boolean isEnded = row >= 0
                && row + 1 < states.end(utid)
                && states.state(row) == SchedState.SLEEPING
                && states.state(row + 1) == SchedState.RUNNABLE
                && states.waker(row + 1) >= 0
                && states.waker(row + 1) != utid
                && threads.upid(states.waker(row + 1)) == threads.upid(utid);
        return isEnded ? row : -1;
    }

    /** The section that a sleep was for, if the thread that ended the sleep left it for a collection; else none. */
    private int section(int utid, int sleep, Pause stop) {
        int waker = states.waker(sleep + 1);
        long from = states.ts(sleep);
        long to = states.endNs(sleep);
        if (!isFor(stop, waker) || stop.endNs() > to + CLOCKS_NS || ran(waker, stop.endNs(), to) > AT_ONCE_NS) {
            return JniCriticalSections.NONE;
        }
        int section = sections.endedBy(threads.upid(utid), waker, from, stop.startNs() + CLOCKS_NS);
        return section == JniCriticalSections.NONE
                        || ran(waker, sections.endNs(section), stop.startNs()) > AT_ONCE_NS
                        || offScheduler.isIdle(utid, from, to)
                ? JniCriticalSections.NONE
                : section;
    }

    /** Whether it was a collection that a thread had done as it left its section; the cause may have become another on the way. */
    private boolean isFor(Pause stop, int utid) {
        Pause.Caller caller = stop.caller();
        return stop.kind() == WaitKind.GC
                && (stop.what().endsWith(CAUSE)
                        || (caller != null && caller.tid() == threads.tid(utid) && !stop.isRequested()));
    }

    private long ran(int utid, long from, long to) {
        long sum = 0;
        for (int row = Math.max(states.at(utid, from), states.first(utid));
                row < states.end(utid) && states.ts(row) < to;
                row++) {
            if (states.state(row) == SchedState.RUNNING) {
                sum += Math.max(0, Math.min(to, states.endNs(row)) - Math.max(from, states.ts(row)));
            }
        }
        return sum;
    }

    private Pause stop(BlockedInterval interval) {
        return stops.of(threads.upid(interval.utid())).get(interval.row());
    }

    @Override
    public Reason reason(BlockedInterval interval) {
        return new Reason(WaitKind.GC, stop(interval).what());
    }

    /** Whoever was in the section is to blame until it left, and then for the collection that it had done. */
    @Override
    public List<BlameInterval> blameIntervals(BlockedInterval interval) {
        int sleep = states.at(interval.utid(), stop(interval).startNs());
        int section = section(interval.utid(), sleep, stop(interval));
        int waker = states.waker(sleep + 1);
        long left = Math.min(sections.endNs(section), interval.endNs());
        List<BlameInterval> blames = new ArrayList<>(2);
        blames.add(new BlameInterval(
                interval.startNs(),
                refs.ownerByWaker(waker, interval.startNs(), left),
                section,
                OwnerState.JNI_CRITICAL));
        if (left < interval.endNs()) {
            blames.add(new BlameInterval(left, refs.ownerByWaker(waker, left, interval.endNs())));
        }
        return blames;
    }
}
