package dev.unjank.doctor.find.kernel;

import dev.unjank.doctor.find.coverage.TraceCoverage;
import dev.unjank.doctor.find.thread.ThreadRefFactory;
import dev.unjank.doctor.find.wait.BlameInterval;
import dev.unjank.doctor.find.wait.BlockedInterval;
import dev.unjank.doctor.find.wait.WaitSource;
import dev.unjank.doctor.model.GenericTerm;
import dev.unjank.doctor.model.Wait;
import dev.unjank.doctor.model.WaitKind;
import dev.unjank.trace.model.SchedState;
import dev.unjank.trace.model.ThreadStateSearch;
import dev.unjank.trace.model.ThreadStates;
import dev.unjank.trace.model.Trace;
import java.util.List;
import java.util.function.Consumer;

/**
 * Uninterruptible sleeps of programs: for a disk, a page of memory, a device. Not of kernel threads, which sleep like
 * this while they are idle.
 */
public final class UninterruptibleSleeps implements WaitSource {
    private static final int UNINTERRUPTIBLE = ThreadStateSearch.setOf(SchedState.UNINTERRUPTIBLE, SchedState.KILLABLE);

    private final ThreadStates states;
    private final ThreadRefFactory refs;
    private final TraceCoverage coverage;

    public UninterruptibleSleeps(Trace trace, ThreadRefFactory refs, TraceCoverage coverage) {
        this.states = trace.threadStates();
        this.refs = refs;
        this.coverage = coverage;
    }

    @Override
    public void find(int utid, Consumer<BlockedInterval> found) {
        int end = refs.isKernelThread(utid) ? 0 : states.end(utid);
        ThreadStateSearch search = new ThreadStateSearch(states);
        for (int row = search.next(states.first(utid), end, UNINTERRUPTIBLE);
                row < end;
                row = search.next(row + 1, end, UNINTERRUPTIBLE)) {
            long from = states.ts(row);
            long to = coverage.endNs(row);
            if (to - from >= WaitSource.MIN_WAIT_NS) {
                found.accept(new BlockedInterval(this, utid, row, from, to, coverage.isUnfinished(row)));
            }
        }
    }

    @Override
    public Reason reason(BlockedInterval interval) {
        String function = states.blockedFunction(interval.row());
        return new Reason(
                WaitKind.KERNEL,
                function != null
                        ? function
                        : states.ioWait(interval.row()) ? Wait.IO : GenericTerm.KERNEL_SLEEP.text());
    }

    @Override
    public List<BlameInterval> blameIntervals(BlockedInterval interval) {
        return List.of(new BlameInterval(interval.startNs(), refs.ownerItself(interval)));
    }
}
