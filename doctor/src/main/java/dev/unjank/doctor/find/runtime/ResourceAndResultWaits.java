package dev.unjank.doctor.find.runtime;

import dev.unjank.doctor.find.code.SliceStacks;
import dev.unjank.doctor.find.runtime.ResourceHolders.Hold;
import dev.unjank.doctor.find.runtime.RuntimeWaitTable.Entry;
import dev.unjank.doctor.find.runtime.RuntimeWaitTable.Place;
import dev.unjank.doctor.find.thread.JvmThreads;
import dev.unjank.doctor.find.thread.ThreadRefFactory;
import dev.unjank.doctor.find.wait.BlameInterval;
import dev.unjank.doctor.find.wait.BlockedInterval;
import dev.unjank.doctor.find.wait.WaitSource;
import dev.unjank.doctor.find.wait.WakeUps;
import dev.unjank.doctor.model.CallStack;
import dev.unjank.doctor.model.Evidence;
import dev.unjank.doctor.model.Owner;
import dev.unjank.doctor.model.ResourceUse;
import dev.unjank.doctor.model.WaitKind;
import dev.unjank.trace.collections.BinarySearch;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.Threads;
import dev.unjank.trace.model.Trace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Waits for permits or pooled objects, and for results of other threads. The owner is, in this order: the recorded
 * notifier; the scheduler's last waker; for a resource the thread that returned it, for a result the thread that
 * completed it, both inferred from the times of other events.
 */
public final class ResourceAndResultWaits implements WaitSource {
    /** A call that ends later than this behind a hold is none of it: it may be the next wait for the resource. */
    private static final long MOST_LATE_NS = 1_000_000;

    private final RuntimeWaitTable table;
    private final Slices slices;
    private final Threads threads;
    private final ThreadRefFactory refs;
    private final WakeUps wakeUps;
    private final SliceStacks stacks;
    private final ResultProducers producers;
    private final Map<Place, ResourceHolders> holders = new ConcurrentHashMap<>();

    public ResourceAndResultWaits(Trace trace, RuntimeWaitTable table, ThreadRefFactory refs, WakeUps wakeUps) {
        this.table = table;
        this.slices = trace.slices();
        this.threads = trace.threads();
        this.refs = refs;
        this.wakeUps = wakeUps;
        this.stacks = new SliceStacks(trace);
        this.producers = new ResultProducers(trace, table, JvmThreads.of(trace));
    }

    @Override
    public void find(int utid, Consumer<BlockedInterval> found) {
        for (Entry entry : table.of(utid)) {
            if (entry.isWaitOf(WaitKind.RESOURCE) || entry.isWaitOf(WaitKind.RESULT)) {
                found.accept(BlockedInterval.ofSlice(this, slices, entry.row()));
            }
        }
    }

    @Override
    public Reason reason(BlockedInterval interval) {
        Entry entry = entry(interval);
        RuntimeWait meaning = entry.meaning();
        WaitKind kind = meaning.kind() == WaitKind.RESOURCE ? WaitKind.RESOURCE : WaitKind.RESULT;
        return new Reason(kind, meaning.target(), meaning.location(), meaning.stack(), 0);
    }

    private Entry entry(BlockedInterval interval) {
        List<Entry> entries = table.of(interval.utid());
        return entries.get(
                BinarySearch.first(0, entries.size(), i -> entries.get(i).row() >= interval.row()));
    }

    @Override
    public List<BlameInterval> blameIntervals(BlockedInterval interval) {
        Entry entry = entry(interval);
        if (table.isTimedOut(entry)) {
            return List.of(new BlameInterval(interval.startNs(), ThreadRefFactory.unknownOwner()));
        }
        return entry.meaning().kind() == WaitKind.RESOURCE
                ? byHolders(interval, entry)
                : List.of(new BlameInterval(interval.startNs(), producer(interval, entry)));
    }

    /** The owners in turn: of the threads that had a permit, each time the first to return it. */
    private List<BlameInterval> byHolders(BlockedInterval interval, Entry entry) {
        ResourceHolders known = holders(entry);
        List<BlameInterval> blames = new ArrayList<>();
        long at = interval.startNs();
        while (at < interval.endNs()) {
            Hold hold = known.at(at, interval.utid());
            if (hold == null) {
                break;
            }
            blames.add(new BlameInterval(at, holder(hold, entry, at)));
            at = hold.toNs();
        }
        if (at < interval.endNs()) {
            blames.add(new BlameInterval(at, byWaker(interval, entry)));
        }
        return blames;
    }

    /** The owner took the permit where the waiter wants one; the stack is of what it did with it. */
    private Owner holder(Hold hold, Entry entry, long from) {
        return new Owner(
                refs.during(hold.utid(), from, hold.toNs(), null),
                entry.meaning().location(),
                longestStack(hold),
                Evidence.TIMING_INFERRED);
    }

    /** The stack of the longest call in a hold: a sleep, I/O or another wait; none if none was recorded. */
    private CallStack longestStack(Hold hold) {
        CallStack longest = CallStack.NONE;
        long longestNs = 0;
        for (int row = slices.firstAfter(hold.utid(), hold.fromNs() - 1);
                row < slices.end(hold.utid()) && slices.ts(row) < hold.toNs();
                row++) {
            long ns = Math.min(hold.toNs(), slices.endNs(row)) - slices.ts(row);
            if (ns > longestNs && slices.endNs(row) <= hold.toNs() + MOST_LATE_NS) {
                CallStack stack = stacks.ofWaiter(row);
                if (!stack.isEmpty()) {
                    longest = stack;
                    longestNs = ns;
                }
            }
        }
        return longest;
    }

    private Owner producer(BlockedInterval interval, Entry entry) {
        Owner recorded = byWaker(interval, entry);
        if (recorded.evidence() != Evidence.UNKNOWN) {
            return recorded;
        }
        int utid = producers.of(entry);
        return utid < 0
                ? recorded
                : new Owner(
                        refs.during(utid, interval.startNs(), interval.endNs(), null), null, Evidence.TIMING_INFERRED);
    }

    private Owner byWaker(BlockedInterval interval, Entry entry) {
        int tid = table.wakerTid(entry);
        int notifier = tid < 0 ? -1 : threads.find(tid, interval.endNs());
        if (notifier >= 0 && notifier != interval.utid()) {
            return refs.namedOwner(notifier, interval.startNs(), interval.endNs());
        }
        return refs.blameWaker(interval, wakeUps).owner();
    }

    private ResourceHolders holders(Entry entry) {
        Place place = RuntimeWaitTable.placeOf(threads.upid(entry.utid()), entry.meaning());
        return holders.computeIfAbsent(
                place,
                key -> ResourceHolders.of(table.at(key).stream()
                        .filter(wait -> !wait.meaning().isIdle() && !table.isTimedOut(wait))
                        .toList()));
    }

    /** {@return the holders of the resource of a wait; null if it is for something else, or they are unknown} */
    public @Nullable ResourceUse use(BlockedInterval interval) {
        if (interval.source() != this || entry(interval).meaning().kind() != WaitKind.RESOURCE) {
            return null;
        }
        Entry entry = entry(interval);
        ResourceHolders known = holders(entry);
        long[] times = known.holds().stream().mapToLong(Hold::durNs).sorted().toArray();
        return times.length == 0
                ? null
                : new ResourceUse(
                        known.atOnce(),
                        known.threads(),
                        times.length,
                        times[times.length / 2],
                        Arrays.stream(times).max().orElse(0),
                        entry.meaning().location());
    }
}
