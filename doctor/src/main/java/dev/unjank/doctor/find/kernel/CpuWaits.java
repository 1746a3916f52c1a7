package dev.unjank.doctor.find.kernel;

import dev.unjank.doctor.find.coverage.TraceCoverage;
import dev.unjank.doctor.find.thread.ThreadRefFactory;
import dev.unjank.doctor.find.wait.BlameInterval;
import dev.unjank.doctor.find.wait.BlockedInterval;
import dev.unjank.doctor.find.wait.WaitSource;
import dev.unjank.doctor.model.WaitKind;
import dev.unjank.trace.model.SchedState;
import dev.unjank.trace.model.ThreadStateSearch;
import dev.unjank.trace.model.ThreadStates;
import dev.unjank.trace.model.Trace;
import java.util.List;
import java.util.function.Consumer;

/**
 * Waits for a CPU: a thread was ready to run, and others ran. A thread that is nice to others (priority worse than {@value
 * #ORDINARY}) has asked for no better. The kernel's own threads are left out.
 */
public final class CpuWaits implements WaitSource {
    /** The kernel's number for nice 0. */
    static final int ORDINARY = 120;

    private static final int RUNNABLE = ThreadStateSearch.setOf(SchedState.RUNNABLE, SchedState.RUNNABLE_PREEMPTED);
    private static final int OTHERS = ~RUNNABLE;

    private final ThreadStates states;
    private final ThreadRefFactory refs;
    private final TraceCoverage known;

    public CpuWaits(Trace trace, ThreadRefFactory refs, TraceCoverage known) {
        this.known = known;
        this.states = trace.threadStates();
        this.refs = refs;
    }

    @Override
    public void find(int utid, Consumer<BlockedInterval> found) {
        int end = refs.isKernels(utid) ? 0 : states.end(utid);
        ThreadStateSearch search = new ThreadStateSearch(states);
        for (int row = search.next(states.first(utid), end, RUNNABLE); row < end; ) {
            int next = search.next(row + 1, end, OTHERS);
            int last = next - 1;
            long from = states.ts(row);
            long to = known.endNs(last);
            if (to - from >= WaitSource.MIN_WAIT_NS
                    && refs.effectivePriority(utid, from, states.priority(row)) <= ORDINARY) {
                found.accept(new BlockedInterval(this, utid, row, from, to, known.isUnfinished(last)));
            }
            row = search.next(next, end, RUNNABLE);
        }
    }

    @Override
    public Reason reason(BlockedInterval interval) {
        return new Reason(WaitKind.CPU, "a CPU");
    }

    @Override
    public List<BlameInterval> blameIntervals(BlockedInterval interval) {
        return List.of(new BlameInterval(interval.startNs(), refs.ownerItself(interval)));
    }
}
