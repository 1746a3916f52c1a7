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
 * Waits on futexes, in traces with system calls. A futex may be a lock or a queue of work: an idle pool thread waits
 * for work outside of any slice, so only a wait within a slice counts. The owner is inferred to be the waker.
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
        calls.forEachOf(utid, row -> {
            if (slices.depth(row) > 0
                    && wakeUps.lastWakeUp(utid, slices.ts(row), slices.endNs(row)) < slices.endNs(row)) {
                found.accept(BlockedInterval.ofSlice(this, slices, row));
            }
        });
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
        return List.of(refs.blameWaker(interval, wakeUps));
    }
}
