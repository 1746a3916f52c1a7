package dev.unjank.doctor.find.pause;

import dev.unjank.doctor.find.thread.ThreadNameMatcher;
import dev.unjank.doctor.find.wait.OverlapSearch;
import dev.unjank.doctor.model.LongOrder;
import dev.unjank.doctor.model.WaitKind;
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
 * When a thread of Android's runtime held others of its process still, told by its slices. It holds all of them ({@code Suspending
 * mutator threads}, {@code Mutator threads suspended for CAUSE}, {@code Resuming mutator threads}; the collector also in the slices of
 * a flip), or a single one, to look at its stack ({@code SuspendThreadByThreadId suspended NAME id=N}, N being the runtime's own
 * number). Slices of a thread that follow one another at once are one suspension. Any thread may ask.
 */
public final class ThreadSuspensions {
    /** Whoever lets others go on does so at once; what it does later it does for another reason. */
    static final long AT_ONCE_NS = 100_000;

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
                trace, name -> startsWithOneOf(name, FLIP) || startsWithOneOf(name, ALL) || isOfOne(name));
    }

    private static boolean startsWithOneOf(String name, List<String> beginnings) {
        return beginnings.stream().anyMatch(name::startsWith);
    }

    private static boolean isOfOne(String name) {
        return ofOne(name) != null;
    }

    /**
     * What a slice says that suspends a single thread.
     *
     * @param how the runtime's function
     * @param thread the whole name of the suspended thread
     */
    public record OfOne(String how, String thread) {}

    /** Reads {@code SuspendThreadByThreadId suspended NAME id=N}; null for a name of another form. */
    public static @Nullable OfOne ofOne(String name) {
        int suspended = name.startsWith(ONE) ? name.indexOf(SUSPENDED) : -1;
        int from = suspended + SUSPENDED.length();
        int to = name.lastIndexOf(ID);
        return suspended < 0 || to < from ? null : new OfOne(name.substring(0, suspended), name.substring(from, to));
    }

    /**
     * A time in which a thread held others still.
     *
     * @param utid the thread that did
     * @param fromNs from when on, on the trace's clock
     * @param toNs until when
     * @param kind {@link WaitKind#GC} if it was to collect garbage, else {@link WaitKind#SAFEPOINT}
     * @param what what for, in its own words
     * @param only the whole name of the only thread that it held still, null for all of the process
     */
    record Suspension(
            int utid,
            long fromNs,
            long toNs,
            WaitKind kind,
            String what,
            @Nullable String only) {}

    /** The suspensions of a process, in order of time; several threads may hold others still at once. */
    private record OfProcess(List<Suspension> all, OverlapSearch ends) {
        static final OfProcess NONE = new OfProcess(List.of());

        OfProcess(List<Suspension> all) {
            this(all, OverlapSearch.of(all, Suspension::toNs));
        }
    }

    /** {@return the suspensions of a process, in order of time} */
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

    /** Whether a suspension was meant for a thread, among others or alone. */
    boolean appliesTo(Suspension suspension, int utid) {
        String only = suspension.only();
        return suspension.utid() != utid
                && (only == null
                        || ThreadNameMatcher.agree(only, threads.name(utid))
                        || (only.equals(MAIN) && threads.isMain(utid)));
    }

    /** {@return the suspension that a thread was in for most of an interval, null if the trace tells of none} */
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
        Told all = null;
        for (int row = suspensionSlices.next(0, end); row < end; row = suspensionSlices.next(row + 1, end)) {
            if (slices.dur(row) <= 0) {
                continue;
            }
            OfOne one = ofOne(slices.name(row));
            if (one != null) {
                add(ofOne(row, one), found);
                continue;
            }
            if (all == null || !all.goesOnIn(row)) {
                add(all == null ? null : all.suspension(), found);
                all = new Told(row);
            }
            all.take(row);
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

    private Suspension ofOne(int row, OfOne said) {
        return new Suspension(
                slices.utid(row), slices.ts(row), slices.endNs(row), WaitKind.SAFEPOINT, said.how(), said.thread());
    }

    /** What slices of a thread, one after the other, tell of one suspension of all others. */
    private final class Told {
        private final int utid;
        private final long fromNs;
        private long toNs;
        private boolean collects;
        private @Nullable String what;

        Told(int first) {
            utid = slices.utid(first);
            fromNs = slices.ts(first);
            toNs = fromNs;
        }

        boolean goesOnIn(int row) {
            return slices.utid(row) == utid && slices.ts(row) <= toNs + AT_ONCE_NS;
        }

        void take(int row) {
            String name = slices.name(row);
            boolean flips = startsWithOneOf(name, FLIP);
            toNs = Math.max(toNs, slices.endNs(row));
            collects |= flips || name.equals(PAUSE) || isWithinCollection(row);
            if (name.startsWith(FOR)) {
                what = name.substring(FOR.length());
            } else if (flips && what == null) {
                what = name;
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
            WaitKind kind = collects ? WaitKind.GC : WaitKind.SAFEPOINT;
            return new Suspension(utid, fromNs, toNs, kind, what == null ? "a reason not told" : what, null);
        }
    }
}
