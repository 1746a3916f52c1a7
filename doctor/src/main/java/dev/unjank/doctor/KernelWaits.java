package dev.unjank.doctor;

import dev.unjank.trace.SchedState;
import dev.unjank.trace.StateSearch;
import dev.unjank.trace.ThreadStates;
import dev.unjank.trace.Trace;
import java.util.List;
import java.util.function.Consumer;

/**
 * Sleeps of a program inside the kernel that no signal ends: a disk, a page of memory, a device. The kernel's own threads wait so
 * for their work, and are left out.
 */
final class KernelWaits implements WaitSource {
    /** Where in the kernel, for want of the function. */
    static final String SOMEWHERE = "the kernel";

    /** What for, for want of the function, if that is known. */
    static final String IO = "I/O";

    private static final int DEAF = StateSearch.setOf(SchedState.UNINTERRUPTIBLE, SchedState.KILLABLE);

    private final ThreadStates states;
    private final ThreadRefs refs;
    private final Known known;

    KernelWaits(Trace trace, ThreadRefs refs, Known known) {
        this.known = known;
        this.states = trace.threadStates();
        this.refs = refs;
    }

    @Override
    public void find(int utid, Consumer<Stall> found) {
        if (refs.isKernels(utid)) {
            return;
        }
        int end = states.end(utid);
        StateSearch search = new StateSearch(states);
        for (int row = search.next(states.first(utid), end, DEAF); row < end; row = search.next(row + 1, end, DEAF)) {
            if (known.endNs(row) - states.ts(row) >= Rules.LEAST_WAIT_NS) {
                found.accept(new Stall(this, utid, row, states.ts(row), known.endNs(row), known.isUnfinished(row)));
            }
        }
    }

    @Override
    public Reason reason(Stall stall) {
        String function = states.blockedFunction(stall.row());
        return new Reason(WaitKind.KERNEL, function != null ? function : states.ioWait(stall.row()) ? IO : SOMEWHERE);
    }

    @Override
    public List<Claim> claims(Stall stall) {
        return List.of(new Claim(stall.startNs(), refs.self(stall)));
    }
}
