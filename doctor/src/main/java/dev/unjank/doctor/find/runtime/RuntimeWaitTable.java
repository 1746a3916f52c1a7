package dev.unjank.doctor.find.runtime;

import dev.unjank.doctor.find.code.SliceStacks;
import dev.unjank.doctor.model.CodeLocation;
import dev.unjank.doctor.model.IdleMethods;
import dev.unjank.doctor.model.WaitKind;
import dev.unjank.trace.collections.LongOrder;
import dev.unjank.trace.model.Args;
import dev.unjank.trace.model.Processes;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.Threads;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.read.jfr.JfrChunks;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The waits of virtual machines' threads other than those for locks, with their meaning, in the order of threads and
 * times. A condition for which at least {@value #MIN_THREADS} threads waited at one place in the code counts as a
 * resource's.
 */
public final class RuntimeWaitTable {
    private static final String STACK = "debug." + JfrChunks.STACK;
    private static final String SLEEP_TIME = "debug." + JfrChunks.SLEEP_TIME;
    private static final int MIN_THREADS = 3;

    /** A sleep that ends this much later than asked for ended late. */
    private static final long MIN_LATE_NS = 1_000_000;

    private final Slices slices;
    private final Args args;
    private final SliceStacks stacks;
    private final RuntimeWaitClassifier classifier;
    private final Map<Integer, List<Entry>> byThread = new HashMap<>();
    private final Map<Place, List<Entry>> byPlace = new LinkedHashMap<>();

    /** The pinned waits that kept virtual threads from a carrier, by the latter's waits. */
    private final Map<Entry, Entry> pins = new HashMap<>();

    /** The name and stack of slices, which decide the meaning. */
    private record Form(int nameId, int stackId) {}

    /**
     * The properties that waits for one resource have in common; recordings do not identify resources.
     *
     * @param upid the process
     * @param target the call that waits
     * @param location the place in the code
     */
    record Place(int upid, String target, @Nullable CodeLocation location) {}

    /**
     * One wait.
     *
     * @param row its slice
     * @param utid its thread
     * @param startNs its start, ns
     * @param endNs its end, ns
     * @param meaning its meaning
     */
    record Entry(int row, int utid, long startNs, long endNs, RuntimeWait meaning) {
        /** A sleep or park of a pinned virtual thread is recorded as well, a little longer or shorter. */
        private boolean overlaps(Entry other) {
            return startNs < other.endNs && other.startNs < endNs;
        }

        private long overlapNs(Entry other) {
            return Math.min(endNs, other.endNs) - Math.max(startNs, other.startNs);
        }

        private Entry ofResource() {
            return new Entry(row, utid, startNs, endNs, meaning.withKind(WaitKind.RESOURCE));
        }

        private Entry ofNextItem() {
            return new Entry(row, utid, startNs, endNs, meaning.forNextItem());
        }

        boolean isWaitOf(WaitKind kind) {
            return meaning.kind() == kind && !meaning.isIdle();
        }
    }

    /**
     * Reads a trace; {@code isContention} tests a slice for a wait for a lock, {@code idle} decides which waits are
     * idle.
     */
    public RuntimeWaitTable(Trace trace, IntPredicate isContention, IdleMethods idle) {
        slices = trace.slices();
        args = trace.args();
        stacks = new SliceStacks(trace);
        IdleStacks idleStacks = new IdleStacks(idle.idle(), idle.busy());
        classifier = new RuntimeWaitClassifier(idleStacks);
        Threads threads = trace.threads();
        Processes processes = trace.processes();
        Map<Form, RuntimeWait> known = new HashMap<>();
        for (int utid = 1; utid < threads.size(); utid++) {
            int upid = threads.upid(utid);
            if (upid >= 0 && processes.isJvm(upid)) {
                read(utid, upid, isContention, known);
            }
        }
        makeIdle(threads, new NextItemWaits(trace, idleStacks));
        makeResources(threads);
        splitLateSleeps(threads);
    }

    private void read(int utid, int upid, IntPredicate isContention, Map<Form, RuntimeWait> known) {
        List<Entry> found = new ArrayList<>();
        for (int row = slices.first(utid); row < slices.end(utid); row++) {
            String category = slices.category(row);
            if (!isWait(category) || slices.dur(row) <= 0 || isContention.test(row)) {
                continue;
            }
            int stackId = stackId(row);
            Form form = new Form(slices.nameId(row), stackId);
            RuntimeWait meaning = known.get(form);
            if (meaning == null) {
                meaning = classifier.classify(category, slices.name(row), stacks.ofWaiter(row));
                known.put(form, meaning);
            }
            Entry entry = new Entry(row, utid, slices.ts(row), slices.endNs(row), meaning);
            found.add(entry);
            if (meaning.kind() == WaitKind.RESOURCE || meaning.isSignal()) {
                byPlace.computeIfAbsent(placeOf(upid, meaning), key -> new ArrayList<>())
                        .add(entry);
            }
        }
        List<Entry> pinned = found.stream()
                .filter(entry -> entry.meaning.kind() == WaitKind.PINNED)
                .toList();
        found.removeIf(entry ->
                entry.meaning.kind() != WaitKind.PINNED && pinned.stream().anyMatch(other -> other.overlaps(entry)));
        if (!found.isEmpty()) {
            byThread.put(utid, found);
        }
    }

    private static boolean isWait(String category) {
        return switch (category) {
            case RuntimeWaitClassifier.PARK,
                    RuntimeWaitClassifier.OBJECT_WAIT,
                    RuntimeWaitClassifier.SLEEP,
                    RuntimeWaitClassifier.IO,
                    RuntimeWaitClassifier.PINNED -> true;
            default -> false;
        };
    }

    private int stackId(int row) {
        for (int arg = args.first(row); arg < args.size() && args.slice(arg) == row; arg++) {
            if (args.key(arg).equals(STACK)) {
                return (int) args.value(arg);
            }
        }
        return -1;
    }

    static Place placeOf(int upid, RuntimeWait meaning) {
        return new Place(upid, meaning.target(), meaning.location());
    }

    /** Whether several threads wait for one condition: one signals a result, several share a resource. */
    private static boolean isResource(List<Entry> entries) {
        Set<Integer> threads = new HashSet<>();
        entries.forEach(entry -> threads.add(entry.utid));
        return entries.getFirst().meaning.isSignal() && threads.size() >= MIN_THREADS;
    }

    private void makeIdle(Threads threads, NextItemWaits items) {
        byPlace.forEach((place, entries) -> {
            Set<Integer> idle = items.threads(entries);
            entries.replaceAll(entry -> idle.contains(entry.utid) ? entry.ofNextItem() : entry);
            idle.forEach(utid -> byThread.computeIfPresent(utid, (_, its) -> {
                its.replaceAll(entry -> isAt(place, entry, threads) ? entry.ofNextItem() : entry);
                return its;
            }));
        });
    }

    private static boolean isAt(Place place, Entry entry, Threads threads) {
        RuntimeWait meaning = entry.meaning;
        return (meaning.kind() == WaitKind.RESOURCE || meaning.isSignal())
                && placeOf(threads.upid(entry.utid), meaning).equals(place);
    }

    private void makeResources(Threads threads) {
        Set<Place> shared = new HashSet<>();
        byPlace.forEach((place, entries) -> {
            if (isResource(entries)) {
                shared.add(place);
                entries.replaceAll(Entry::ofResource);
            }
        });
        byThread.forEach((utid, entries) -> entries.replaceAll(
                entry -> entry.meaning.isSignal() && shared.contains(placeOf(threads.upid(utid), entry.meaning))
                        ? entry.ofResource()
                        : entry));
    }

    /** The time by which a virtual thread overslept was a wait for a carrier, if pinned threads kept theirs. */
    private void splitLateSleeps(Threads threads) {
        Map<Integer, List<Entry>> pinned = new HashMap<>(); // by process
        byThread.forEach((utid, entries) -> entries.stream()
                .filter(entry -> entry.meaning.kind() == WaitKind.PINNED)
                .forEach(entry -> pinned.computeIfAbsent(threads.upid(utid), _ -> new ArrayList<>())
                        .add(entry)));
        byThread.replaceAll((utid, entries) -> {
            List<Entry> ofProcess = pinned.getOrDefault(threads.upid(utid), List.of());
            return ofProcess.isEmpty() || threads.tid(utid) < JfrChunks.FIRST_VIRTUAL
                    ? entries
                    : entries.stream()
                            .flatMap(entry -> split(entry, ofProcess).stream())
                            .toList();
        });
    }

    private List<Entry> split(Entry sleep, List<Entry> pinned) {
        long askedNs = args.number(sleep.row, SLEEP_TIME, -1);
        long readyNs = sleep.startNs + askedNs;
        if (!sleep.isWaitOf(WaitKind.SLEEP) || askedNs < 0 || sleep.endNs - readyNs < MIN_LATE_NS) {
            return List.of(sleep);
        }
        Entry rest = new Entry(sleep.row, sleep.utid, readyNs, sleep.endNs, sleep.meaning.forCarrier());
        Entry pin = pinned.stream()
                .filter(entry -> 2 * entry.overlapNs(rest) >= rest.endNs - rest.startNs)
                .min(LongOrder.<Entry>ascending(entry -> Math.abs(entry.endNs - rest.endNs))
                        .thenComparing(LongOrder.descending(entry -> entry.overlapNs(rest)))
                        .thenComparing(LongOrder.ascending(Entry::utid)))
                .orElse(null);
        if (pin == null) {
            return List.of(sleep);
        }
        pins.put(rest, pin);
        return List.of(new Entry(sleep.row, sleep.utid, sleep.startNs, readyNs, sleep.meaning), rest);
    }

    /** {@return the pinned wait that kept a virtual thread from a carrier; null if an entry is no such wait} */
    @Nullable
    Entry pin(Entry entry) {
        return pins.get(entry);
    }

    /** {@return the waits of a thread, by time} */
    List<Entry> of(int utid) {
        return byThread.getOrDefault(utid, List.of());
    }

    /** Takes waits. */
    @FunctionalInterface
    public interface WaitConsumer {
        /** Takes a wait, and whether the thread was idle. */
        void accept(boolean isIdle, long fromNs, long toNs);
    }

    /**
     * Passes a thread's waits that are no incidents: idle ones, and those for something that the recording does not
     * identify.
     */
    public void forEachOther(int utid, WaitConsumer found) {
        for (Entry entry : of(utid)) {
            if (entry.meaning.isIdle() || entry.meaning.kind() == null) {
                found.accept(entry.meaning.isIdle(), entry.startNs, entry.endNs);
            }
        }
    }

    /** {@return the waits for a resource at a place in the code, by their ends} */
    List<Entry> at(Place place) {
        List<Entry> entries = new ArrayList<>(byPlace.getOrDefault(place, List.of()));
        entries.sort(Comparator.comparingLong(Entry::endNs).thenComparingInt(Entry::utid));
        return entries;
    }

    /** {@return the threads that have waits} */
    Set<Integer> threads() {
        return byThread.keySet();
    }

    /** {@return whether a wait ended because its time limit had passed} */
    boolean isTimedOut(Entry entry) {
        return args.number(entry.row, "debug." + JfrChunks.TIMED_OUT, 0) != 0;
    }

    /** {@return the tid of the thread that ended a wait, -1 if it is not recorded} */
    int wakerTid(Entry entry) {
        return (int) args.number(entry.row, "debug." + JfrChunks.WAKER, -1);
    }

    /** {@return the tid of the carrier of a pinned virtual thread, -1 if it is not recorded} */
    int carrierTid(Entry entry) {
        return (int) args.number(entry.row, "debug." + JfrChunks.CARRIER, -1);
    }
}
