package dev.unjank.doctor.find.pause;

import dev.unjank.doctor.find.activity.ActivityInterval;
import dev.unjank.doctor.find.lock.LockContentionParser;
import dev.unjank.doctor.model.LongOrder;
import dev.unjank.doctor.model.OwnerState;
import dev.unjank.doctor.model.WaitKind;
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
 * Finds when a virtual machine held all threads of a process still. Slices of the process tell of it: {@code GC pause: NAME
 * (CAUSE)} with a slice within for each phase, and {@code safepoint: OPERATION[ by THREAD (TID)]} with {@code reaching the
 * safepoint} within, until all threads had stopped. A pause for garbage collection is mostly a safepoint as well: the two are
 * one stop, and what the collection was for says more. A collection that runs beside the program ({@code GC: NAME}) stops nobody.
 */
public final class JvmPauses {
    private static final String PAUSE = "GC pause: ";
    private static final String SAFEPOINT = "safepoint: ";
    private static final String REACHING = "reaching the safepoint";
    private static final String BY = " by ";

    private final Slices slices;
    private final SliceNameFilter tell;
    private volatile @Nullable Map<Integer, List<Pause>> byProcess;
    private final Map<Integer, ActivityInterval[]> spans = new ConcurrentHashMap<>();

    public JvmPauses(Trace trace) {
        slices = trace.slices();
        tell = new SliceNameFilter(
                trace, name -> name.startsWith(PAUSE) || name.startsWith(SAFEPOINT) || name.equals(REACHING));
    }

    /** {@return the stops of a process, in order of time} */
    List<Pause> of(int upid) {
        Map<Integer, List<Pause>> known = byProcess;
        if (known == null) {
            known = find();
            byProcess = known;
        }
        return known.getOrDefault(upid, List.of());
    }

    /** {@return what was done in all stops of a process, in order of time, without overlaps} */
    public ActivityInterval[] spans(int upid) {
        return spans.computeIfAbsent(
                upid,
                key -> of(key).stream().flatMap(stop -> stop.spans().stream()).toArray(ActivityInterval[]::new));
    }

    /** The slices that tell of stops of a process. */
    private static final class Told {
        final List<ActivityInterval> reaching = new ArrayList<>();
        final List<ActivityInterval> phases = new ArrayList<>();
        final List<ActivityInterval> pauses = new ArrayList<>();
        final List<ActivityInterval> safepoints = new ArrayList<>();
        long openSince = Long.MAX_VALUE;

        /** What is known best comes first. */
        List<List<ActivityInterval>> layers() {
            return List.of(reaching, phases, pauses, safepoints);
        }
    }

    /** Looks at each slice of a process once, whatever process is asked for first. */
    private Map<Integer, List<Pause>> find() {
        Map<Integer, Told> toldBy = new HashMap<>();
        int first = tell.next(slices.firstAsync(), slices.size());
        for (int row = first; row < slices.size(); row++) {
            if ((tell.test(row) || isPhase(row)) && slices.dur(row) > 0) {
                add(row, toldBy.computeIfAbsent(slices.upid(row), _ -> new Told()));
            }
        }
        Map<Integer, List<Pause>> found = new HashMap<>();
        toldBy.forEach((upid, told) -> found.put(upid, stops(upid, told)));
        return found;
    }

    private boolean isPhase(int row) {
        int parent = slices.parent(row);
        return parent >= 0 && tell.test(parent) && slices.name(parent).startsWith(PAUSE);
    }

    private static List<Pause> stops(int upid, Told told) {
        List<ActivityInterval> all = new ArrayList<>();
        for (List<ActivityInterval> layer : told.layers()) {
            layer.sort(LongOrder.ascending(ActivityInterval::from));
            all.sort(LongOrder.ascending(ActivityInterval::from));
            ActivityInterval.addDisjoint(withoutCallers(layer), all.toArray(ActivityInterval.NONE), all);
        }
        all.sort(LongOrder.ascending(ActivityInterval::from));
        List<Pause> stops = new ArrayList<>();
        int first = 0;
        for (int i = 1; i <= all.size(); i++) {
            if (i == all.size() || all.get(i).from() > all.get(i - 1).to()) {
                stops.add(stop(upid, all.subList(first, i), told));
                first = i;
            }
        }
        return stops;
    }

    private void add(int row, Told told) {
        String name = slices.name(row);
        if (!tell.test(row)) {
            told.phases.add(span(row, OwnerState.GC_PAUSE, name));
            return;
        }
        if (slices.isOpen(row)) {
            told.openSince = Math.min(told.openSince, slices.ts(row));
        }
        if (name.startsWith(PAUSE)) {
            told.pauses.add(span(row, OwnerState.GC_PAUSE, name.substring(PAUSE.length())));
        } else if (name.startsWith(SAFEPOINT)) {
            told.safepoints.add(span(row, OwnerState.SAFEPOINT, name.substring(SAFEPOINT.length())));
        } else {
            told.reaching.add(span(row, OwnerState.REACHING_SAFEPOINT, null));
        }
    }

    private ActivityInterval span(int row, OwnerState state, @Nullable String detail) {
        return new ActivityInterval(slices.ts(row), slices.endNs(row), state, detail);
    }

    /** As they are, but that an operation no longer says who asked for it. */
    private static List<ActivityInterval> withoutCallers(List<ActivityInterval> layer) {
        return layer.stream()
                .map(span -> span.state() == OwnerState.SAFEPOINT
                        ? new ActivityInterval(span.from(), span.to(), span.state(), operation(span.detail()))
                        : span)
                .toList();
    }

    private static @Nullable String operation(@Nullable String named) {
        if (named == null) {
            return null;
        }
        int by = named.indexOf(BY);
        return by < 0 ? named : named.substring(0, by);
    }

    private static Pause stop(int upid, List<ActivityInterval> spans, Told told) {
        long from = spans.getFirst().from();
        long to = spans.getLast().to();
        ActivityInterval pause = longestWithin(told.pauses, from, to);
        ActivityInterval safepoint = longestWithin(told.safepoints, from, to);
        String named = safepoint == null ? null : safepoint.detail();
        String operation = operation(named);
        String collection = pause == null ? null : pause.detail();
        String what = collection != null ? collection : operation != null ? operation : "unknown operation";
        WaitKind kind = pause == null ? WaitKind.SAFEPOINT : WaitKind.GC;
        return new Pause(upid, kind, what, caller(named), told.openSince < to, spans);
    }

    private static @Nullable ActivityInterval longestWithin(List<ActivityInterval> ascending, long from, long to) {
        ActivityInterval longest = null;
        for (int i = firstAt(ascending, from);
                i < ascending.size() && ascending.get(i).from() < to;
                i++) {
            ActivityInterval span = ascending.get(i);
            if (longest == null || span.to() - span.from() > longest.to() - longest.from()) {
                longest = span;
            }
        }
        return longest;
    }

    private static int firstAt(List<ActivityInterval> ascending, long ts) {
        int low = 0;
        int high = ascending.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (ascending.get(middle).from() < ts) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Operations have no spaces in them; threads may be called anything. */
    private static Pause.@Nullable Caller caller(@Nullable String named) {
        if (named == null) {
            return null;
        }
        int by = named.indexOf(BY);
        int open = named.lastIndexOf(" (");
        if (by < 0 || open < by + BY.length() || !named.endsWith(")")) {
            return null;
        }
        int tid = LockContentionParser.number(named, open + 2, named.length() - 1);
        return tid < 0 ? null : new Pause.Caller(named.substring(by + BY.length(), open), tid);
    }
}
