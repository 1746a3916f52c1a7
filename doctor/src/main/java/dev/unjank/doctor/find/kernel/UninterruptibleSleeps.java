package dev.unjank.doctor.find.kernel;

import dev.unjank.doctor.find.coverage.TraceCoverage;
import dev.unjank.doctor.find.thread.ThreadRefFactory;
import dev.unjank.doctor.find.wait.BlameInterval;
import dev.unjank.doctor.find.wait.BlockedInterval;
import dev.unjank.doctor.find.wait.WaitSource;
import dev.unjank.doctor.model.Wait;
import dev.unjank.doctor.model.WaitKind;
import dev.unjank.trace.model.SchedState;
import dev.unjank.trace.model.ThreadStateSearch;
import dev.unjank.trace.model.ThreadStates;
import dev.unjank.trace.model.Trace;
import java.util.List;
import java.util.function.Consumer;

/**
 * Sleeps of a program inside the kernel that no signal ends: a disk, a page of memory, a device. The kernel's own threads wait so
 * for their work, and are left out.
 */
public final class UninterruptibleSleeps implements WaitSource {
    private static final int DEAF = ThreadStateSearch.setOf(SchedState.UNINTERRUPTIBLE, SchedState.KILLABLE);

    private final ThreadStates states;
    private final ThreadRefFactory refs;
    private final TraceCoverage known;

    public UninterruptibleSleeps(Trace trace, ThreadRefFactory refs, TraceCoverage known) {
        this.known = known;
        this.states = trace.threadStates();
        this.refs = refs;
    }

    @Override
    public void find(int utid, Consumer<BlockedInterval> found) {
        if (refs.isKernels(utid)) {
            return;
        }
        int end = states.end(utid);
        ThreadStateSearch search = new ThreadStateSearch(states);
        for (int row = search.next(states.first(utid), end, DEAF); row < end; row = search.next(row + 1, end, DEAF)) {
            if (known.endNs(row) - states.ts(row) >= WaitSource.MIN_WAIT_NS) {
                found.accept(new BlockedInterval(
                        this, utid, row, states.ts(row), known.endNs(row), known.isUnfinished(row)));
            }
        }
    }

    @Override
    public Reason reason(BlockedInterval interval) {
        String function = states.blockedFunction(interval.row());
        return new Reason(
                WaitKind.KERNEL,
                function != null ? function : states.ioWait(interval.row()) ? Wait.IO : Wait.KERNEL_SLEEP);
    }

    @Override
    public List<BlameInterval> blameIntervals(BlockedInterval interval) {
        return List.of(new BlameInterval(interval.startNs(), refs.ownerItself(interval)));
    }
}
