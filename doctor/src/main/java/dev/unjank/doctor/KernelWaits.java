package dev.unjank.doctor;

import dev.unjank.trace.SchedState;
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

    private final ThreadStates states;
    private final ThreadRefs refs;

    KernelWaits(Trace trace, ThreadRefs refs) {
        this.states = trace.threadStates();
        this.refs = refs;
    }

    @Override
    public void find(int utid, Consumer<Stall> found) {
        if (refs.isKernels(utid)) {
            return;
        }
        for (int row = states.first(utid); row < states.end(utid); row++) {
            SchedState state = states.state(row);
            if ((state == SchedState.UNINTERRUPTIBLE || state == SchedState.KILLABLE)
                    && states.dur(row) >= Rules.LEAST_WAIT_NS) {
                found.accept(new Stall(this, utid, row, states.ts(row), states.endNs(row), states.isOpen(row)));
            }
        }
    }

    @Override
    public Reason reason(Stall stall) {
        String function = states.blockedFunction(stall.row());
        return new Reason(
                WaitKind.KERNEL, function != null ? function : states.ioWait(stall.row()) ? "I/O" : SOMEWHERE);
    }

    @Override
    public List<Claim> claims(Stall stall) {
        return List.of(new Claim(stall.startNs(), refs.self(stall)));
    }
}
