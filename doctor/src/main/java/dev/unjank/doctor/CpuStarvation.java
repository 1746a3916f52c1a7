package dev.unjank.doctor;

import dev.unjank.trace.SchedState;
import dev.unjank.trace.StateSearch;
import dev.unjank.trace.ThreadStates;
import dev.unjank.trace.Trace;
import java.util.List;
import java.util.function.Consumer;

/**
 * Waits for a CPU: a thread was ready to run, and others ran. A thread that is nice to others (priority worse than {@value
 * #ORDINARY}) has asked for no better. The kernel's own threads are left out.
 */
final class CpuStarvation implements WaitSource {
    /** The kernel's number for nice 0. */
    static final int ORDINARY = 120;

    private static final int RUNNABLE = StateSearch.setOf(SchedState.RUNNABLE, SchedState.RUNNABLE_PREEMPTED);
    private static final int OTHERS = ~RUNNABLE;

    private final ThreadStates states;
    private final ThreadRefs refs;
    private final Known known;

    CpuStarvation(Trace trace, ThreadRefs refs, Known known) {
        this.known = known;
        this.states = trace.threadStates();
        this.refs = refs;
    }

    @Override
    public void find(int utid, Consumer<Stall> found) {
        int end = refs.isKernels(utid) ? 0 : states.end(utid);
        StateSearch search = new StateSearch(states);
        for (int row = search.next(states.first(utid), end, RUNNABLE); row < end; ) {
            int next = search.next(row + 1, end, OTHERS);
            int last = next - 1;
            long from = states.ts(row);
            long to = known.endNs(last);
            if (to - from >= Rules.LEAST_WAIT_NS && refs.counting(utid, from, states.priority(row)) <= ORDINARY) {
                found.accept(new Stall(this, utid, row, from, to, known.isUnfinished(last)));
            }
            row = search.next(next, end, RUNNABLE);
        }
    }

    @Override
    public Reason reason(Stall stall) {
        return new Reason(WaitKind.CPU, "a CPU");
    }

    @Override
    public List<Claim> claims(Stall stall) {
        return List.of(new Claim(stall.startNs(), refs.self(stall)));
    }
}
