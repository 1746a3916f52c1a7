package dev.unjank.doctor.find.lock;

import dev.unjank.doctor.find.thread.ThreadRefFactory;
import dev.unjank.doctor.find.wait.BlameInterval;
import dev.unjank.doctor.find.wait.BlockedInterval;
import dev.unjank.doctor.find.wait.WaitSource;
import dev.unjank.doctor.find.wait.WakeUps;
import dev.unjank.doctor.model.WaitKind;
import dev.unjank.trace.model.SliceNameFilter;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.Trace;
import java.util.List;
import java.util.function.Consumer;

/**
 * Waits on futexes, where the trace has the system calls. A futex may be a lock or a place to wait for work; as a pool's thread
 * waits for work when it does nothing else, only a wait in the middle of something the program tells of counts. Nobody names
 * the owner: it is inferred to be the thread that woke the waiting one.
 */
public final class FutexWaits implements WaitSource {
    private static final String CALL = "sys_futex";

    private final Slices slices;
    private final ThreadRefFactory refs;
    private final WakeUps wakeUps;
    private final SliceNameFilter calls;

    public FutexWaits(Trace trace, ThreadRefFactory refs, WakeUps wakeUps) {
        this.slices = trace.slices();
        this.refs = refs;
        this.wakeUps = wakeUps;
        this.calls = new SliceNameFilter(trace, CALL::equals);
    }

    @Override
    public void find(int utid, Consumer<BlockedInterval> found) {
        int end = slices.end(utid);
        for (int row = calls.next(slices.first(utid), end); row < end; row = calls.next(row + 1, end)) {
            if (slices.depth(row) > 0
                    && wakeUps.lastWakeUp(utid, slices.ts(row), slices.endNs(row)) < slices.endNs(row)) {
                found.accept(
                        new BlockedInterval(this, utid, row, slices.ts(row), slices.endNs(row), slices.isOpen(row)));
            }
        }
    }

    @Override
    public boolean isForLock(BlockedInterval interval) {
        return true;
    }

    @Override
    public Reason reason(BlockedInterval interval) {
        return new Reason(WaitKind.FUTEX, "futex");
    }

    @Override
    public List<BlameInterval> blameIntervals(BlockedInterval interval) {
        long from = interval.startNs();
        long to = interval.endNs();
        int waker = interval.open() ? -1 : wakeUps.lastWakerInProcess(interval.utid(), from, to);
        return List.of(new BlameInterval(from, refs.ownerByWaker(waker, from, to)));
    }
}
