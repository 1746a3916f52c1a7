package dev.unjank.doctor.find.kernel;

import dev.unjank.doctor.find.coverage.TraceCoverage;
import dev.unjank.doctor.find.thread.ThreadRefFactory;
import dev.unjank.doctor.find.wait.BlameInterval;
import dev.unjank.doctor.find.wait.BlockedInterval;
import dev.unjank.doctor.find.wait.WaitSource;
import dev.unjank.doctor.model.GenericTerm;
import dev.unjank.doctor.model.WaitKind;
import dev.unjank.trace.model.SchedState;
import dev.unjank.trace.model.ThreadStateSearch;
import dev.unjank.trace.model.ThreadStates;
import dev.unjank.trace.model.Trace;
import java.util.List;
import java.util.function.Consumer;

/**
 * Waits for a CPU: a thread was runnable while others ran. Not for kernel threads, nor for threads with a positive nice
 * value (priority above {@value #ORDINARY}), which yield the CPU on purpose.
 */
public final class CpuWaits implements WaitSource {
    /** The kernel's priority of nice 0. */
    static final int ORDINARY = 120;

    private static final int RUNNABLE = ThreadStateSearch.setOf(SchedState.RUNNABLE, SchedState.RUNNABLE_PREEMPTED);
    private static final int OTHERS = ~RUNNABLE;

    private final ThreadStates states;
    private final ThreadRefFactory refs;
    private final TraceCoverage coverage;

    public CpuWaits(Trace trace, ThreadRefFactory refs, TraceCoverage coverage) {
        this.states = trace.threadStates();
        this.refs = refs;
        this.coverage = coverage;
    }

    @Override
    public void find(int utid, Consumer<BlockedInterval> found) {
        int end = refs.isKernelThread(utid) ? 0 : states.end(utid);
        ThreadStateSearch search = new ThreadStateSearch(states);
        for (int row = search.next(states.first(utid), end, RUNNABLE); row < end; ) {
            int next = search.next(row + 1, end, OTHERS);
            int last = next - 1;
            long from = states.ts(row);
            long to = coverage.endNs(last);
            if (to - from >= WaitSource.MIN_WAIT_NS
                    && refs.effectivePriority(utid, from, states.priority(row)) <= ORDINARY) {
                found.accept(new BlockedInterval(this, utid, row, from, to, coverage.isUnfinished(last)));
            }
            row = search.next(next, end, RUNNABLE);
        }
    }

    @Override
    public Reason reason(BlockedInterval interval) {
        return new Reason(WaitKind.CPU, GenericTerm.CPU.text());
    }

    @Override
    public List<BlameInterval> blameIntervals(BlockedInterval interval) {
        return List.of(new BlameInterval(interval.startNs(), refs.ownerItself(interval)));
    }
}
