package dev.unjank.doctor.find.pause;

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
 * Waits of a thread that stopped at a suspend check of Android's runtime: its slice {@code FullSuspendCheck}. The owner
 * is the thread that suspended it by {@link ThreadSuspensions}, otherwise a concurrent collection's thread, otherwise
 * the waker.
 */
public final class SuspendCheckWaits implements WaitSource {
    private static final String CHECK = "FullSuspendCheck";

    private final Slices slices;
    private final ThreadRefFactory refs;
    private final WakeUps wakeUps;
    private final ThreadSuspensions suspensions;
    private final ArtGcWaits gcWaits;
    private final SliceNameFilter checks;

    public SuspendCheckWaits(
            Trace trace, ThreadRefFactory refs, WakeUps wakeUps, ThreadSuspensions suspensions, ArtGcWaits gcWaits) {
        this.slices = trace.slices();
        this.refs = refs;
        this.wakeUps = wakeUps;
        this.suspensions = suspensions;
        this.gcWaits = gcWaits;
        this.checks = new SliceNameFilter(trace, CHECK::equals);
    }

    @Override
    public void find(int utid, Consumer<BlockedInterval> found) {
        BlockedInterval.findSlices(this, slices, checks, utid, found);
    }

    @Override
    public Reason reason(BlockedInterval interval) {
        ThreadSuspensions.Suspension known = suspensions.during(interval.utid(), interval.startNs(), interval.endNs());
        if (known != null) {
            return new Reason(known.kind(), known.reason());
        }
        return new Reason(collector(interval) >= 0 ? WaitKind.GC : WaitKind.SAFEPOINT, CHECK);
    }

    @Override
    public List<BlameInterval> blameIntervals(BlockedInterval interval) {
        long from = interval.startNs();
        long to = interval.endNs();
        ThreadSuspensions.Suspension known = suspensions.during(interval.utid(), from, to);
        int named = known != null ? known.utid() : collector(interval);
        return List.of(
                named >= 0
                        ? new BlameInterval(from, refs.namedOwner(named, from, to))
                        : refs.blameWaker(interval, wakeUps));
    }

    private int collector(BlockedInterval interval) {
        return gcWaits.collector(interval.utid(), interval.startNs(), interval.endNs());
    }
}
