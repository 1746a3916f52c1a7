package dev.unjank.doctor.find.message;

import dev.unjank.doctor.find.thread.ThreadRefFactory;
import dev.unjank.doctor.find.wait.BlameInterval;
import dev.unjank.doctor.find.wait.BlockedInterval;
import dev.unjank.doctor.find.wait.WaitSource;
import dev.unjank.doctor.find.wait.WakeUps;
import dev.unjank.doctor.model.Wait;
import dev.unjank.doctor.model.WaitKind;
import dev.unjank.trace.collections.LongOrder;
import dev.unjank.trace.model.Flows;
import dev.unjank.trace.model.SliceNameFilter;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.Trace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Waits for the reply to a binder call. A flow from the caller's slice to the server thread's gives the owner. The
 * server thread owns the wait from the call on, also while it is still busy with another call. A call that polls is no
 * wait: {@link PollingThreads}.
 */
public final class BinderWaits implements WaitSource {
    private static final String REPLY = "binder reply";
    private static final List<String> INTERFACES = List.of("AIDL::", "HIDL::");

    private final Trace trace;
    private final Slices slices;
    private final ThreadRefFactory refs;
    private final WakeUps wakeUps;
    private final SliceNameFilter calls;
    private final SliceNameFilter replies;
    private final PollingThreads polling;

    /** Flows from calls to the slices of server threads, {@code out << 32 | in}, ascending; null until first used. */
    private volatile long @Nullable [] callFlows;

    public BinderWaits(Trace trace, ThreadRefFactory refs, WakeUps wakeUps) {
        this.trace = trace;
        this.slices = trace.slices();
        this.refs = refs;
        this.wakeUps = wakeUps;
        this.calls = new SliceNameFilter(trace, Wait.BINDER_CALL::equals);
        this.polling = new PollingThreads(slices, trace.threadStates());
        this.replies = new SliceNameFilter(trace, REPLY::equals);
    }

    @Override
    public void find(int utid, Consumer<BlockedInterval> found) {
        List<PollingThreads.Call> all = calls(utid);
        Set<PollingThreads.Call> polls = new HashSet<>(polling.polls(all));
        all.stream()
                .filter(call -> !polls.contains(call))
                .forEach(call -> found.accept(BlockedInterval.ofSlice(this, slices, call.row())));
    }

    private List<PollingThreads.Call> calls(int utid) {
        List<PollingThreads.Call> all = new ArrayList<>();
        calls.forEachOf(utid, row -> {
            if (slices.dur(row) > 0) {
                all.add(new PollingThreads.Call(row, name(row), replyTo(row)));
            }
        });
        return all;
    }

    /**
     * {@return the slices of calls that poll and of the server threads that handle them, by thread, by time; those
     * threads are idle while they sleep in them}
     */
    public Map<Integer, List<Integer>> polls() {
        Map<Integer, List<Integer>> rows = new HashMap<>();
        for (int utid = 1; utid < trace.threads().size(); utid++) {
            for (PollingThreads.Call poll : polling.polls(calls(utid))) {
                add(poll.row(), rows);
                if (poll.reply() >= 0) {
                    add(poll.reply(), rows);
                }
            }
        }
        rows.values().forEach(each -> each.sort(LongOrder.ascending(slices::ts)));
        return rows;
    }

    private void add(int row, Map<Integer, List<Integer>> rows) {
        rows.computeIfAbsent(slices.utid(row), _ -> new ArrayList<>()).add(row);
    }

    @Override
    public Reason reason(BlockedInterval interval) {
        return new Reason(WaitKind.BINDER, name(interval.row()));
    }

    /** The program's slice around a call, if that is an interface's stub. */
    private String name(int call) {
        int caller = slices.parent(call);
        String name = caller < 0 ? Wait.BINDER_CALL : slices.name(caller);
        boolean stub = INTERFACES.stream().anyMatch(name::startsWith);
        return stub ? name : Wait.BINDER_CALL;
    }

    @Override
    public List<BlameInterval> blameIntervals(BlockedInterval interval) {
        long from = interval.startNs();
        long to = interval.endNs();
        int reply = replyTo(interval.row());
        if (reply < 0) {
            int waker = interval.open() ? -1 : wakeUps.lastWaker(interval.utid(), from, to);
            return List.of(new BlameInterval(from, refs.ownerByWaker(waker, from, to)));
        }
        return List.of(new BlameInterval(from, refs.namedOwner(slices.utid(reply), from, to), reply));
    }

    /** The slice of the server thread of a call; -1 if unknown. */
    private int replyTo(int call) {
        long[] all = callFlows;
        if (all == null) {
            all = callFlows(trace.flows());
            callFlows = all;
        }
        int at = Arrays.binarySearch(all, (long) call << 32);
        int next = at < 0 ? ~at : at;
        return next < all.length && (int) (all[next] >>> 32) == call ? (int) all[next] : -1;
    }

    private long[] callFlows(Flows flows) {
        long[] found = new long[flows.size()];
        int count = 0;
        for (int row = 0; row < found.length; row++) {
            if (calls.test(flows.out(row)) && replies.test(flows.in(row)) && slices.utid(flows.in(row)) >= 0) {
                found[count++] = ((long) flows.out(row) << 32) | flows.in(row);
            }
        }
        long[] sorted = Arrays.copyOf(found, count);
        Arrays.sort(sorted);
        return sorted;
    }
}
