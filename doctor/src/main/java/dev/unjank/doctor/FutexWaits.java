package dev.unjank.doctor;

import dev.unjank.trace.Slices;
import dev.unjank.trace.Trace;
import java.util.List;
import java.util.function.Consumer;

/**
 * Waits on futexes, where the trace has the system calls. A futex may be a lock or a place to wait for work; as a pool's thread
 * waits for work when it does nothing else, only a wait in the middle of something the program tells of counts. Nobody names
 * the owner: it is inferred to be the thread that woke the waiting one.
 */
final class FutexWaits implements WaitSource {
    private static final String CALL = "sys_futex";

    private final Slices slices;
    private final ThreadRefs refs;
    private final Wakers wakers;
    private final NameTest calls;

    FutexWaits(Trace trace, ThreadRefs refs, Wakers wakers) {
        this.slices = trace.slices();
        this.refs = refs;
        this.wakers = wakers;
        this.calls = new NameTest(trace, CALL::equals);
    }

    @Override
    public void find(int utid, Consumer<Stall> found) {
        int end = slices.end(utid);
        for (int row = calls.next(slices.first(utid), end); row < end; row = calls.next(row + 1, end)) {
            if (slices.depth(row) > 0
                    && wakers.lastWakeUp(utid, slices.ts(row), slices.endNs(row)) < slices.endNs(row)) {
                found.accept(new Stall(this, utid, row, slices.ts(row), slices.endNs(row), slices.isOpen(row)));
            }
        }
    }

    @Override
    public boolean isForLock(Stall stall) {
        return true;
    }

    @Override
    public Reason reason(Stall stall) {
        return new Reason(WaitKind.FUTEX, "futex");
    }

    @Override
    public List<Claim> claims(Stall stall) {
        long from = stall.startNs();
        long to = stall.endNs();
        int waker = stall.open() ? -1 : wakers.lastWakerInProcess(stall.utid(), from, to);
        return List.of(new Claim(from, refs.ownerByWaker(waker, from, to)));
    }
}
