package dev.unjank.doctor.find.message;

import dev.unjank.doctor.find.thread.ThreadRefFactory;
import dev.unjank.doctor.find.wait.BlameInterval;
import dev.unjank.doctor.find.wait.BlockedInterval;
import dev.unjank.doctor.find.wait.WaitSource;
import dev.unjank.doctor.find.wait.WakeUps;
import dev.unjank.doctor.model.Evidence;
import dev.unjank.doctor.model.Owner;
import dev.unjank.doctor.model.Wait;
import dev.unjank.doctor.model.WaitKind;
import dev.unjank.trace.model.Flows;
import dev.unjank.trace.model.SliceNameFilter;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.Trace;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Waits for the reply to a call of another process. The kernel tells which thread serves a call: an arrow leads from the
 * caller's slice to that thread's. From the call on that thread is at fault, if it had not begun because it was still busy with
 * another call, too.
 */
public final class BinderWaits implements WaitSource {
    private static final String SERVES = "binder reply";
    private static final List<String> INTERFACES = List.of("AIDL::", "HIDL::");

    private final Trace trace;
    private final Slices slices;
    private final ThreadRefFactory refs;
    private final WakeUps wakeUps;
    private final SliceNameFilter calls;
    private final SliceNameFilter serves;

    /** Arrows from calls to the slices of those that serve them, {@code out << 32 | in}, ascending; null until needed. */
    private volatile long @Nullable [] arrows;

    public BinderWaits(Trace trace, ThreadRefFactory refs, WakeUps wakeUps) {
        this.trace = trace;
        this.slices = trace.slices();
        this.refs = refs;
        this.wakeUps = wakeUps;
        this.calls = new SliceNameFilter(trace, Wait.BINDER_CALL::equals);
        this.serves = new SliceNameFilter(trace, SERVES::equals);
    }

    @Override
    public void find(int utid, Consumer<BlockedInterval> found) {
        int end = slices.end(utid);
        for (int row = calls.next(slices.first(utid), end); row < end; row = calls.next(row + 1, end)) {
            if (slices.dur(row) > 0) {
                found.accept(
                        new BlockedInterval(this, utid, row, slices.ts(row), slices.endNs(row), slices.isOpen(row)));
            }
        }
    }

    /** Named by the program's own slice around it, if that is the stub of an interface. */
    @Override
    public Reason reason(BlockedInterval interval) {
        int caller = slices.parent(interval.row());
        String name = caller < 0 ? Wait.BINDER_CALL : slices.name(caller);
        boolean stub = INTERFACES.stream().anyMatch(name::startsWith);
        return new Reason(WaitKind.BINDER, stub ? name : Wait.BINDER_CALL);
    }

    @Override
    public List<BlameInterval> blameIntervals(BlockedInterval interval) {
        long from = interval.startNs();
        long to = interval.endNs();
        int serving = servedBy(interval.row());
        if (serving < 0) {
            int waker = interval.open() ? -1 : wakeUps.lastWaker(interval.utid(), from, to);
            return List.of(new BlameInterval(from, refs.ownerByWaker(waker, from, to)));
        }
        Owner owner = new Owner(refs.during(slices.utid(serving), from, to, null), null, Evidence.OWNER_NAMED);
        return List.of(new BlameInterval(from, owner, serving));
    }

    /** The slice in which a call is served; -1 if the trace does not say. */
    private int servedBy(int call) {
        long[] all = arrows;
        if (all == null) {
            all = arrows(trace.flows());
            arrows = all;
        }
        int at = Arrays.binarySearch(all, (long) call << 32);
        int next = at < 0 ? ~at : at;
        return next < all.length && (int) (all[next] >>> 32) == call ? (int) all[next] : -1;
    }

    private long[] arrows(Flows flows) {
        long[] found = new long[flows.size()];
        int count = 0;
        for (int row = 0; row < found.length; row++) {
            if (calls.test(flows.out(row)) && serves.test(flows.in(row)) && slices.utid(flows.in(row)) >= 0) {
                found[count++] = ((long) flows.out(row) << 32) | flows.in(row);
            }
        }
        long[] sorted = Arrays.copyOf(found, count);
        Arrays.sort(sorted);
        return sorted;
    }
}
