package dev.unjank.doctor.find.pause;

import dev.unjank.doctor.find.activity.ActivityInterval;
import dev.unjank.doctor.find.code.CodeLocationParser;
import dev.unjank.doctor.model.GenericTerm;
import dev.unjank.doctor.model.OwnerState;
import dev.unjank.doctor.model.WaitKind;
import dev.unjank.trace.collections.BinarySearch;
import dev.unjank.trace.collections.LongOrder;
import dev.unjank.trace.model.SliceNameFilter;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.Trace;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds the pauses of a Java virtual machine by asynchronous slices of its process: {@code GC pause: NAME (CAUSE)} with
 * a nested slice for each phase, and {@code safepoint: OPERATION[ by THREAD (TID)]} with a nested {@code reaching the
 * safepoint}, until all threads had stopped. A GC pause is mostly a safepoint as well: both are one pause, with the
 * operation of the collection. A concurrent collection ({@code GC: NAME}) is no pause.
 */
public final class JvmPauses {
    private static final String GC_PAUSE = "GC pause: ";
    private static final String SAFEPOINT = "safepoint: ";
    private static final String REACHING = "reaching the safepoint";
    private static final String BY = " by ";

    private final Slices slices;
    private final SliceNameFilter pauseSlices;
    private volatile @Nullable Map<Integer, List<Pause>> byProcess;
    private final Map<Integer, ActivityInterval[]> intervals = new ConcurrentHashMap<>();

    public JvmPauses(Trace trace) {
        slices = trace.slices();
        pauseSlices = new SliceNameFilter(
                trace, name -> name.startsWith(GC_PAUSE) || name.startsWith(SAFEPOINT) || name.equals(REACHING));
    }

    /** {@return the pauses of a process, by time} */
    List<Pause> of(int upid) {
        Map<Integer, List<Pause>> known = byProcess;
        if (known == null) {
            known = find();
            byProcess = known;
        }
        return known.getOrDefault(upid, List.of());
    }

    /** {@return the activity in all pauses of a process, by time, without overlaps} */
    public ActivityInterval[] intervals(int upid) {
        return intervals.computeIfAbsent(
                upid,
                key -> of(key).stream()
                        .flatMap(pause -> pause.intervals().stream())
                        .toArray(ActivityInterval[]::new));
    }

    /** The pause slices of a process. */
    private static final class PauseSlices {
        final List<ActivityInterval> reaching = new ArrayList<>();
        final List<ActivityInterval> phases = new ArrayList<>();
        final List<ActivityInterval> collections = new ArrayList<>();
        final List<ActivityInterval> safepoints = new ArrayList<>();
        long openSince = Long.MAX_VALUE;

        /** Most specific first. */
        List<List<ActivityInterval>> layers() {
            return List.of(reaching, phases, collections, safepoints);
        }
    }

    /** Finds the pauses of all processes in one pass. */
    private Map<Integer, List<Pause>> find() {
        Map<Integer, PauseSlices> byUpid = new HashMap<>();
        int first = pauseSlices.next(slices.firstAsync(), slices.size());
        for (int row = first; row < slices.size(); row++) {
            if ((pauseSlices.test(row) || isPhase(row)) && slices.dur(row) > 0) {
                add(row, byUpid.computeIfAbsent(slices.upid(row), _ -> new PauseSlices()));
            }
        }
        Map<Integer, List<Pause>> found = new HashMap<>();
        byUpid.forEach((upid, recorded) -> found.put(upid, pauses(upid, recorded)));
        return found;
    }

    private boolean isPhase(int row) {
        int parent = slices.parent(row);
        return parent >= 0 && pauseSlices.test(parent) && slices.name(parent).startsWith(GC_PAUSE);
    }

    private static List<Pause> pauses(int upid, PauseSlices recorded) {
        List<ActivityInterval> all = new ArrayList<>();
        for (List<ActivityInterval> layer : recorded.layers()) {
            layer.sort(LongOrder.ascending(ActivityInterval::from));
            all.sort(LongOrder.ascending(ActivityInterval::from));
            ActivityInterval.addDisjoint(withoutCallers(layer), all.toArray(ActivityInterval.NONE), all);
        }
        all.sort(LongOrder.ascending(ActivityInterval::from));
        List<Pause> pauses = new ArrayList<>();
        int first = 0;
        for (int i = 1; i <= all.size(); i++) {
            if (i == all.size() || all.get(i).from() > all.get(i - 1).to()) {
                pauses.add(pause(upid, all.subList(first, i), recorded));
                first = i;
            }
        }
        return pauses;
    }

    private void add(int row, PauseSlices recorded) {
        String name = slices.name(row);
        if (!pauseSlices.test(row)) {
            recorded.phases.add(interval(row, OwnerState.GC_PAUSE, name));
            return;
        }
        if (slices.isOpen(row)) {
            recorded.openSince = Math.min(recorded.openSince, slices.ts(row));
        }
        if (name.startsWith(GC_PAUSE)) {
            recorded.collections.add(interval(row, OwnerState.GC_PAUSE, name.substring(GC_PAUSE.length())));
        } else if (name.startsWith(SAFEPOINT)) {
            recorded.safepoints.add(interval(row, OwnerState.SAFEPOINT, name.substring(SAFEPOINT.length())));
        } else {
            recorded.reaching.add(interval(row, OwnerState.REACHING_SAFEPOINT, null));
        }
    }

    private ActivityInterval interval(int row, OwnerState state, @Nullable String detail) {
        return new ActivityInterval(slices.ts(row), slices.endNs(row), state, detail);
    }

    /** The intervals, with the operation of a safepoint without its caller. */
    private static List<ActivityInterval> withoutCallers(List<ActivityInterval> layer) {
        return layer.stream()
                .map(each -> each.state() == OwnerState.SAFEPOINT
                        ? new ActivityInterval(each.from(), each.to(), each.state(), operation(each.detail()))
                        : each)
                .toList();
    }

    private static @Nullable String operation(@Nullable String named) {
        if (named == null) {
            return null;
        }
        int by = named.indexOf(BY);
        return by < 0 ? named : named.substring(0, by);
    }

    private static Pause pause(int upid, List<ActivityInterval> intervals, PauseSlices recorded) {
        long from = intervals.getFirst().from();
        long to = intervals.getLast().to();
        ActivityInterval gcPause = longestWithin(recorded.collections, from, to);
        ActivityInterval safepoint = longestWithin(recorded.safepoints, from, to);
        String named = safepoint == null ? null : safepoint.detail();
        String collection = gcPause == null ? null : gcPause.detail();
        String operation = collection != null ? collection : operation(named);
        return new Pause(
                upid,
                gcPause == null ? WaitKind.SAFEPOINT : WaitKind.GC,
                operation != null ? operation : GenericTerm.UNKNOWN_OPERATION.text(),
                caller(named),
                recorded.openSince < to,
                intervals);
    }

    private static @Nullable ActivityInterval longestWithin(List<ActivityInterval> ascending, long from, long to) {
        ActivityInterval longest = null;
        for (int i = BinarySearch.first(
                        0, ascending.size(), at -> ascending.get(at).from() >= from);
                i < ascending.size() && ascending.get(i).from() < to;
                i++) {
            ActivityInterval each = ascending.get(i);
            if (longest == null || each.to() - each.from() > longest.to() - longest.from()) {
                longest = each;
            }
        }
        return longest;
    }

    /** Parses the caller after the operation, which contains no spaces; the name of a thread may contain anything. */
    private static Pause.@Nullable Caller caller(@Nullable String named) {
        if (named == null) {
            return null;
        }
        int by = named.indexOf(BY);
        int open = named.lastIndexOf(" (");
        if (by < 0 || open < by + BY.length() || !named.endsWith(")")) {
            return null;
        }
        int tid = CodeLocationParser.number(named, open + 2, named.length() - 1);
        return tid < 0 ? null : new Pause.Caller(named.substring(by + BY.length(), open), tid);
    }
}
