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
import java.util.List;
import java.util.function.Consumer;

/**
 * Waits of a Java virtual machine's threads for the end of another thread's JNI critical section, in Java 17 with
 * Serial, Parallel or G1, which record no event of them. There the last thread in a section leaves it, requests the
 * collection that the section delayed, and then wakes the threads that sleep. A sleep counts if it ends like this: it
 * overlaps a section of its waker, and the collection lies between the end of that section and the wake-up, with next
 * to no other work of the waker. A recorded wait of the thread (a park, a sleep, a call for I/O) does not count.
 */
public final class JniCriticalWaits implements WaitSource {
    /** The largest difference between Java 17's clock of collections and the scheduler's. */
    private static final long CLOCK_ERROR_NS = 1_000_000;

    /**
     * The longest run of the waker between its section and the collection, and between the collection and the wake-up.
     */
    private static final long MAX_RUN_NS = 2 * CLOCK_ERROR_NS;

    private static final String CAUSE = "(GCLocker Initiated GC)";

    private final ThreadStates states;
    private final Threads threads;
    private final Processes processes;
    private final ThreadRefFactory refs;
    private final JvmPauses pauses;
    private final OffSchedulerActivity offScheduler;
    private final JniCriticalSections sections;

    public JniCriticalWaits(
            Trace trace,
            ThreadRefFactory refs,
            JniCriticalSections sections,
            JvmPauses pauses,
            OffSchedulerActivity offScheduler) {
        this.states = trace.threadStates();
        this.threads = trace.threads();
        this.processes = trace.processes();
        this.refs = refs;
        this.sections = sections;
        this.pauses = pauses;
        this.offScheduler = offScheduler;
    }

    @Override
    public void find(int utid, Consumer<BlockedInterval> found) {
        int upid = threads.upid(utid);
        if (upid < 0 || !processes.isJvm(upid) || states.first(utid) == states.end(utid) || sections.isEmpty(upid)) {
            return;
        }
        List<Pause> all = pauses.of(upid);
        int last = -1;
        for (int i = 0; i < all.size(); i++) {
            int row = sleepAt(utid, all.get(i).startNs());
            if (row > last && section(utid, row, all.get(i)) != JniCriticalSections.NONE) {
                last = row;
                found.accept(new BlockedInterval(this, utid, i, states.ts(row), states.endNs(row), false));
            }
        }
    }

    /** The sleep of a thread at a time, if another thread of the process ended it; -1 if there is none. */
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

    /** The section that a sleep waited for, if its waker left it for a collection; otherwise none. */
    private int section(int utid, int sleep, Pause pause) {
        int waker = states.waker(sleep + 1);
        long from = states.ts(sleep);
        long to = states.endNs(sleep);
        if (!isRequestedBy(waker, pause)
                || pause.endNs() > to + CLOCK_ERROR_NS
                || ran(waker, pause.endNs(), to) > MAX_RUN_NS) {
            return JniCriticalSections.NONE;
        }
        int section = sections.endedBy(threads.upid(utid), waker, from, pause.startNs() + CLOCK_ERROR_NS);
        return section == JniCriticalSections.NONE
                        || ran(waker, sections.endNs(section), pause.startNs()) > MAX_RUN_NS
                        || offScheduler.isIdle(utid, from, to)
                ? JniCriticalSections.NONE
                : section;
    }

    /**
     * Whether a pause is a collection that a thread requested when it left its section; the recorded cause may be
     * another one.
     */
    private boolean isRequestedBy(int utid, Pause pause) {
        Pause.Caller caller = pause.caller();
        return pause.kind() == WaitKind.GC
                && (pause.operation().endsWith(CAUSE)
                        || (caller != null && caller.tid() == threads.tid(utid) && !pause.isRequested()));
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

    private Pause pause(BlockedInterval interval) {
        return pauses.of(threads.upid(interval.utid())).get(interval.row());
    }

    @Override
    public Reason reason(BlockedInterval interval) {
        return new Reason(WaitKind.GC, pause(interval).operation());
    }

    /** The waker owns the wait until the end of its section, and then for the collection that it requested. */
    @Override
    public List<BlameInterval> blameIntervals(BlockedInterval interval) {
        int sleep = states.at(interval.utid(), pause(interval).startNs());
        int section = section(interval.utid(), sleep, pause(interval));
        int waker = states.waker(sleep + 1);
        long end = Math.min(sections.endNs(section), interval.endNs());
        BlameInterval blame = new BlameInterval(
                interval.startNs(),
                refs.ownerByWaker(waker, interval.startNs(), end),
                section,
                OwnerState.JNI_CRITICAL);
        return end < interval.endNs()
                ? List.of(blame, new BlameInterval(end, refs.ownerByWaker(waker, end, interval.endNs())))
                : List.of(blame);
    }
}
