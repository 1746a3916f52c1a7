package dev.unjank.doctor;

import dev.unjank.trace.Slices;
import dev.unjank.trace.Trace;
import java.util.List;
import java.util.function.Consumer;

/**
 * Waits of a thread that Android's runtime had told to stop, and which did so when it next looked: its own slice {@code
 * FullSuspendCheck}. The fault is that of the thread that held it still, which the {@link Suspensions} tell, else a collection's
 * that goes on meanwhile; where the trace tells of neither, whoever let it go on had stopped it.
 */
final class SuspendChecks implements WaitSource {
    private static final String CHECK = "FullSuspendCheck";

    private final Slices slices;
    private final ThreadRefs refs;
    private final Wakers wakers;
    private final Suspensions suspensions;
    private final GcWaits collections;
    private final NameTest checks;

    SuspendChecks(Trace trace, ThreadRefs refs, Wakers wakers, Suspensions suspensions, GcWaits collections) {
        this.slices = trace.slices();
        this.refs = refs;
        this.wakers = wakers;
        this.suspensions = suspensions;
        this.collections = collections;
        this.checks = new NameTest(trace, CHECK::equals);
    }

    @Override
    public void find(int utid, Consumer<Stall> found) {
        int end = slices.end(utid);
        for (int row = checks.next(slices.first(utid), end); row < end; row = checks.next(row + 1, end)) {
            if (slices.dur(row) > 0) {
                found.accept(new Stall(this, utid, row, slices.ts(row), slices.endNs(row), slices.isOpen(row)));
            }
        }
    }

    @Override
    public Reason reason(Stall stall) {
        Suspensions.Suspension known = suspensions.during(stall.utid(), stall.startNs(), stall.endNs());
        if (known != null) {
            return new Reason(known.kind(), known.what());
        }
        return new Reason(collector(stall) >= 0 ? WaitKind.GC : WaitKind.SAFEPOINT, CHECK);
    }

    @Override
    public List<Claim> claims(Stall stall) {
        long from = stall.startNs();
        long to = stall.endNs();
        Suspensions.Suspension known = suspensions.during(stall.utid(), from, to);
        int named = known != null ? known.utid() : collector(stall);
        if (named >= 0) {
            return List.of(new Claim(from, new Owner(refs.during(named, from, to, null), null, Evidence.OWNER_NAMED)));
        }
        int waker = stall.open() ? -1 : wakers.lastWakerInProcess(stall.utid(), from, to);
        return List.of(new Claim(from, refs.ownerByWaker(waker, from, to)));
    }

    private int collector(Stall stall) {
        return collections.collector(stall.utid(), stall.startNs(), stall.endNs());
    }
}
