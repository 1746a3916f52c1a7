package dev.unjank.doctor.find.pause;

import dev.unjank.doctor.find.thread.ThreadRefFactory;
import dev.unjank.doctor.find.wait.BlameInterval;
import dev.unjank.doctor.find.wait.BlockedInterval;
import dev.unjank.doctor.find.wait.WaitSource;
import dev.unjank.doctor.find.wait.WakeUps;
import dev.unjank.doctor.model.Evidence;
import dev.unjank.doctor.model.Owner;
import dev.unjank.doctor.model.WaitKind;
import dev.unjank.trace.model.SliceNameFilter;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.Trace;
import java.util.List;
import java.util.function.Consumer;

/**
 * Waits of a thread that Android's runtime had told to stop, and which did so when it next looked: its own slice {@code
 * FullSuspendCheck}. The fault is that of the thread that held it still, which the {@link ThreadSuspensions} tell, else a collection's
 * that goes on meanwhile; where the trace tells of neither, whoever let it go on had stopped it.
 */
public final class SuspendCheckWaits implements WaitSource {
    private static final String CHECK = "FullSuspendCheck";

    private final Slices slices;
    private final ThreadRefFactory refs;
    private final WakeUps wakeUps;
    private final ThreadSuspensions suspensions;
    private final ArtGcWaits collections;
    private final SliceNameFilter checks;

    public SuspendCheckWaits(
            Trace trace,
            ThreadRefFactory refs,
            WakeUps wakeUps,
            ThreadSuspensions suspensions,
            ArtGcWaits collections) {
        this.slices = trace.slices();
        this.refs = refs;
        this.wakeUps = wakeUps;
        this.suspensions = suspensions;
        this.collections = collections;
        this.checks = new SliceNameFilter(trace, CHECK::equals);
    }

    @Override
    public void find(int utid, Consumer<BlockedInterval> found) {
        int end = slices.end(utid);
        for (int row = checks.next(slices.first(utid), end); row < end; row = checks.next(row + 1, end)) {
            if (slices.dur(row) > 0) {
                found.accept(
                        new BlockedInterval(this, utid, row, slices.ts(row), slices.endNs(row), slices.isOpen(row)));
            }
        }
    }

    @Override
    public Reason reason(BlockedInterval interval) {
        ThreadSuspensions.Suspension known = suspensions.during(interval.utid(), interval.startNs(), interval.endNs());
        if (known != null) {
            return new Reason(known.kind(), known.what());
        }
        return new Reason(collector(interval) >= 0 ? WaitKind.GC : WaitKind.SAFEPOINT, CHECK);
    }

    @Override
    public List<BlameInterval> blameIntervals(BlockedInterval interval) {
        long from = interval.startNs();
        long to = interval.endNs();
        ThreadSuspensions.Suspension known = suspensions.during(interval.utid(), from, to);
        int named = known != null ? known.utid() : collector(interval);
        if (named >= 0) {
            return List.of(
                    new BlameInterval(from, new Owner(refs.during(named, from, to, null), null, Evidence.OWNER_NAMED)));
        }
        int waker = interval.open() ? -1 : wakeUps.lastWakerInProcess(interval.utid(), from, to);
        return List.of(new BlameInterval(from, refs.ownerByWaker(waker, from, to)));
    }

    private int collector(BlockedInterval interval) {
        return collections.collector(interval.utid(), interval.startNs(), interval.endNs());
    }
}
