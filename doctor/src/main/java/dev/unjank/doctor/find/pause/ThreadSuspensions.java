package dev.unjank.doctor.find.pause;

import dev.unjank.doctor.find.thread.ThreadNameMatcher;
import dev.unjank.doctor.find.wait.OverlapSearch;
import dev.unjank.doctor.model.GenericTerm;
import dev.unjank.doctor.model.WaitKind;
import dev.unjank.trace.collections.LongOrder;
import dev.unjank.trace.model.SliceNameFilter;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.Threads;
import dev.unjank.trace.model.Trace;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The thread suspensions of Android's runtime, by the slices of the suspending thread. It suspends all threads of its
 * process ({@code Suspending mutator threads}, {@code Mutator threads suspended for CAUSE}, {@code Resuming mutator
 * threads}; the collector also in the slices of a flip), or a single one, to walk its stack ({@code
 * SuspendThreadByThreadId suspended NAME id=N}, with the runtime's own thread id N). Consecutive slices of a thread are
 * one suspension. Thread-safe.
 */
public final class ThreadSuspensions {
    /** The longest gap between the slices of one suspension, and from its end to a wake-up that it caused. */
    static final long MAX_GAP_NS = 100_000;

    private static final String FOR = "Mutator threads suspended for ";
    private static final String PAUSE = FOR + "ScopedPause";
    private static final String COLLECTION = " GC";
    private static final List<String> FLIP =
            List.of("ThreadListFlip", "ThreadFlipSuspendAll", "FlipThreadSuspension", "RunningThreadFlips");
    private static final List<String> ALL = List.of("Suspending mutator threads", FOR, "Resuming mutator threads");
    private static final String ONE = "SuspendThreadBy";
    private static final String SUSPENDED = " suspended ";
    private static final String ID = " id=";
    private static final String MAIN = "main";

    private final Slices slices;
    private final Threads threads;
    private final SliceNameFilter suspensionSlices;
    private volatile @Nullable Map<Integer, OfProcess> byProcess;

    public ThreadSuspensions(Trace trace) {
        slices = trace.slices();
        threads = trace.threads();
        suspensionSlices = new SliceNameFilter(
                trace,
                name -> ArtGcWaits.startsWithAny(name, FLIP)
                        || ArtGcWaits.startsWithAny(name, ALL)
                        || parseSingle(name) != null);
    }

    /**
     * The content of the name of a slice that suspends a single thread.
     *
     * @param function the runtime's function
     * @param thread the whole name of the suspended thread
     */
    public record SingleSuspension(String function, String thread) {}

    /** Parses {@code SuspendThreadByThreadId suspended NAME id=N}; null for a name of another form. */
    public static @Nullable SingleSuspension parseSingle(String name) {
        int suspended = name.startsWith(ONE) ? name.indexOf(SUSPENDED) : -1;
        int from = suspended + SUSPENDED.length();
        int to = name.lastIndexOf(ID);
        return suspended < 0 || to < from
                ? null
                : new SingleSuspension(name.substring(0, suspended), name.substring(from, to));
    }

    /**
     * A suspension of threads.
     *
     * @param utid the suspending thread
     * @param fromNs start on the trace's clock, ns
     * @param toNs end, ns
     * @param kind {@link WaitKind#GC} for a collection, otherwise {@link WaitKind#SAFEPOINT}
     * @param reason the recorded reason
     * @param only the whole name of a single suspended thread, null for all of the process
     */
    record Suspension(
            int utid,
            long fromNs,
            long toNs,
            WaitKind kind,
            String reason,
            @Nullable String only) {}

    /** The suspensions of a process, by time; those of several threads may overlap. */
    private record OfProcess(List<Suspension> all, OverlapSearch ends) {
        static final OfProcess NONE = new OfProcess(List.of());

        OfProcess(List<Suspension> all) {
            this(all, OverlapSearch.of(all, Suspension::toNs));
        }
    }

    /** {@return the suspensions of a process, by time} */
    List<Suspension> of(int upid) {
        return ofProcess(upid).all();
    }

    private OfProcess ofProcess(int upid) {
        Map<Integer, OfProcess> known = byProcess;
        if (known == null) {
            known = find();
            byProcess = known;
        }
        return known.getOrDefault(upid, OfProcess.NONE);
    }

    /** Whether a suspension includes a thread. */
    boolean appliesTo(Suspension suspension, int utid) {
        String only = suspension.only();
        return suspension.utid() != utid
                && (only == null
                        || ThreadNameMatcher.agree(only, threads.name(utid))
                        || (only.equals(MAIN) && threads.isMain(utid)));
    }

    /** {@return the suspension of a thread with the longest overlap of an interval, null if there is none} */
    @Nullable
    Suspension during(int utid, long from, long to) {
        Suspension most = null;
        long longest = 0;
        OfProcess ofProcess = ofProcess(threads.upid(utid));
        List<Suspension> all = ofProcess.all();
        for (int i = ofProcess.ends().firstAfter(from);
                i < all.size() && all.get(i).fromNs() < to;
                i++) {
            Suspension suspension = all.get(i);
            long both = Math.min(to, suspension.toNs()) - Math.max(from, suspension.fromNs());
            if (both > longest && appliesTo(suspension, utid)) {
                longest = both;
                most = suspension;
            }
        }
        return most;
    }

    private Map<Integer, OfProcess> find() {
        Map<Integer, List<Suspension>> found = new HashMap<>();
        int end = slices.firstAsync();
        SuspensionSlices all = null;
        for (int row = suspensionSlices.next(0, end); row < end; row = suspensionSlices.next(row + 1, end)) {
            if (slices.dur(row) <= 0) {
                continue;
            }
            SingleSuspension single = parseSingle(slices.name(row));
            if (single != null) {
                add(suspension(row, single), found);
                continue;
            }
            if (all == null || !all.continuesIn(row)) {
                add(all == null ? null : all.suspension(), found);
                all = new SuspensionSlices(row);
            }
            all.add(row);
        }
        add(all == null ? null : all.suspension(), found);
        Map<Integer, OfProcess> sorted = new HashMap<>();
        found.forEach((upid, list) -> {
            list.sort(LongOrder.ascending(Suspension::fromNs));
            sorted.put(upid, new OfProcess(list));
        });
        return sorted;
    }

    private void add(@Nullable Suspension suspension, Map<Integer, List<Suspension>> found) {
        if (suspension != null && threads.upid(suspension.utid()) >= 0) {
            found.computeIfAbsent(threads.upid(suspension.utid()), _ -> new ArrayList<>())
                    .add(suspension);
        }
    }

    private Suspension suspension(int row, SingleSuspension single) {
        return new Suspension(
                slices.utid(row),
                slices.ts(row),
                slices.endNs(row),
                WaitKind.SAFEPOINT,
                single.function(),
                single.thread());
    }

    /** Consecutive slices of a thread that make one suspension of all others. */
    private final class SuspensionSlices {
        private final int utid;
        private final long fromNs;
        private long toNs;
        private boolean isForGc;
        private @Nullable String reason;

        SuspensionSlices(int first) {
            utid = slices.utid(first);
            fromNs = slices.ts(first);
            toNs = fromNs;
        }

        boolean continuesIn(int row) {
            return slices.utid(row) == utid && slices.ts(row) <= toNs + MAX_GAP_NS;
        }

        void add(int row) {
            String name = slices.name(row);
            boolean isFlip = ArtGcWaits.startsWithAny(name, FLIP);
            toNs = Math.max(toNs, slices.endNs(row));
            isForGc |= isFlip || name.equals(PAUSE) || isWithinCollection(row);
            if (name.startsWith(FOR)) {
                reason = name.substring(FOR.length());
            } else if (isFlip && reason == null) {
                reason = name;
            }
        }

        private boolean isWithinCollection(int row) {
            for (int around = slices.parent(row); around >= 0; around = slices.parent(around)) {
                if (slices.name(around).endsWith(COLLECTION)) {
                    return true;
                }
            }
            return false;
        }

        Suspension suspension() {
            WaitKind kind = isForGc ? WaitKind.GC : WaitKind.SAFEPOINT;
            String why = reason == null ? GenericTerm.UNKNOWN_REASON.text() : reason;
            return new Suspension(utid, fromNs, toNs, kind, why, null);
        }
    }
}
