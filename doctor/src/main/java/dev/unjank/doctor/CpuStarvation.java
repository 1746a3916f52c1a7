package dev.unjank.doctor;

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

    private final ThreadStates states;
    private final ThreadRefs refs;

    CpuStarvation(Trace trace, ThreadRefs refs) {
        this.states = trace.threadStates();
        this.refs = refs;
    }

    @Override
    public void find(int utid, Consumer<Stall> found) {
        int end = refs.isKernels(utid) ? 0 : states.end(utid);
        for (int row = states.first(utid); row < end; row++) {
            if (states.state(row).isRunnable()) {
                int first = row;
                while (row + 1 < end && states.state(row + 1).isRunnable()) {
                    row++;
                }
                long from = states.ts(first);
                long to = states.endNs(row);
                if (to - from >= Rules.LEAST_WAIT_NS && refs.counting(utid, from, states.priority(first)) <= ORDINARY) {
                    found.accept(new Stall(this, utid, first, from, to, states.isOpen(row)));
                }
            }
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
