package dev.unjank.doctor.judge;

import dev.unjank.doctor.find.coverage.TraceCoverage;
import dev.unjank.doctor.find.runtime.RuntimeWaitTable;
import dev.unjank.doctor.find.wait.BlockedInterval;
import dev.unjank.doctor.model.BlockedKind;
import dev.unjank.doctor.model.BlockedTime;
import dev.unjank.doctor.model.Wait;
import dev.unjank.doctor.model.WaitKind;
import dev.unjank.trace.collections.LongOrder;
import dev.unjank.trace.model.SchedState;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.ThreadStates;
import dev.unjank.trace.model.Threads;
import dev.unjank.trace.model.Trace;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Adds up the blocked time of threads by kind. Of several sources for one moment the first counts: waits that are
 * incidents if they last, other recorded waits, pauses of the process, polls, scheduling states. Thread-safe.
 */
public final class BlockedTimeCalculator {
    private final Slices slices;
    private final Threads threads;
    private final ThreadStates states;
    private final TraceCoverage coverage;
    private final IncidentBuilder incidents;
    private final RuntimeWaitTable runtimeWaits;
    private final BitSet loopers;
    private final Map<Integer, List<Integer>> polls;
    private final Map<Integer, List<Wait>> pausesByProcess = new HashMap<>();
    private final Map<BlockedKind, LongAdder> sums = new EnumMap<>(BlockedKind.class);
    private final Map<BlockedKind, LongAdder> counts = new EnumMap<>(BlockedKind.class);
    private final LongAdder blockedThreads = new LongAdder();

    /**
     * Reads a trace; {@code pauses} are the pauses of all its processes, by time, {@code loopers} threads that run
     * messages.
     */
    public BlockedTimeCalculator(
            Trace trace, TraceCoverage coverage, IncidentBuilder incidents, List<Wait> pauses, BitSet loopers) {
        this.slices = trace.slices();
        this.threads = trace.threads();
        this.states = trace.threadStates();
        this.coverage = coverage;
        this.incidents = incidents;
        this.runtimeWaits = incidents.runtimeWaits();
        this.loopers = loopers;
        this.polls = incidents.polls();
        for (Wait pause : pauses) {
            pausesByProcess
                    .computeIfAbsent(pause.thread().upid(), _ -> new ArrayList<>())
                    .add(pause);
        }
        for (BlockedKind kind : BlockedKind.values()) {
            sums.put(kind, new LongAdder());
            counts.put(kind, new LongAdder());
        }
    }

    /** Adds the blocked time of a thread. */
    public void add(int utid) {
        Layers layers = new Layers();
        for (BlockedInterval wait : incidents.blocked(utid)) {
            WaitKind kind = wait.source().reason(wait).kind();
            layers.add(BlockedKind.of(kind), wait.startNs(), wait.endNs());
        }
        layers.next();
        runtimeWaits.forEachOther(
                utid, (isIdle, from, to) -> layers.add(isIdle ? BlockedKind.IDLE : BlockedKind.UNKNOWN, from, to));
        layers.next();
        forEachPause(utid, pause -> addPause(utid, pause, layers));
        layers.next();
        addPolls(utid, layers);
        layers.next();
        for (int row = states.first(utid); row < states.end(utid); row++) {
            BlockedKind kind = kind(utid, row);
            if (kind != null) {
                layers.add(kind, states.ts(row), coverage.endNs(row));
            }
        }
        boolean isBlocked = false;
        for (Map.Entry<BlockedKind, Long> part : layers.sums.entrySet()) {
            of(sums, part.getKey()).add(part.getValue());
            of(counts, part.getKey()).increment();
            isBlocked = true;
        }
        if (isBlocked) {
            blockedThreads.increment();
        }
    }

    /** {@return the sums} */
    public BlockedTime total() {
        List<BlockedTime.KindTotal> parts = new ArrayList<>();
        for (BlockedKind kind : BlockedKind.values()) {
            long ns = of(sums, kind).sum();
            if (ns > 0) {
                parts.add(new BlockedTime.KindTotal(kind, of(counts, kind).intValue(), ns));
            }
        }
        parts.sort(LongOrder.descending(part -> part.kind() == BlockedKind.IDLE ? -1 : part.durNs()));
        return new BlockedTime(blockedThreads.intValue(), parts);
    }

    private static LongAdder of(Map<BlockedKind, LongAdder> adders, BlockedKind kind) {
        return Objects.requireNonNull(adders.get(kind));
    }

    private void forEachPause(int utid, Consumer<Wait> action) {
        for (Wait pause : pausesByProcess.getOrDefault(threads.upid(utid), List.of())) {
            if (threads.startNs(utid) < pause.endNs() && threads.endNs(utid) > pause.startNs()) {
                action.accept(pause);
            }
        }
    }

    /** The parts of a pause in which the thread was stopped: in native code it may have run. */
    private void addPause(int utid, Wait pause, Layers layers) {
        BlockedKind kind = BlockedKind.of(pause.kind());
        long at = Math.max(pause.startNs(), threads.startNs(utid));
        long to = Math.min(pause.endNs(), threads.endNs(utid));
        for (int row = Math.max(states.at(utid, at), states.first(utid));
                row < states.end(utid) && states.ts(row) < to;
                row++) {
            if (states.state(row) == SchedState.RUNNING) {
                layers.add(kind, at, states.ts(row));
                at = Math.max(at, coverage.endNs(row));
            }
        }
        layers.add(kind, at, to);
    }

    private @Nullable BlockedKind kind(int utid, int row) {
        return switch (states.state(row)) {
            case RUNNABLE, RUNNABLE_PREEMPTED -> BlockedKind.NO_CPU;
            case UNINTERRUPTIBLE, KILLABLE -> BlockedKind.IO;
            case SLEEPING -> isBetweenMessages(utid, row) ? BlockedKind.IDLE : BlockedKind.UNKNOWN;
            case IDLE, PARKED -> BlockedKind.IDLE;
            case STOPPED, TRACED -> BlockedKind.STOPPED;
            case RUNNING, DEAD, ZOMBIE, UNKNOWN -> null;
        };
    }

    /** A thread that runs messages is idle when it sleeps outside of all of them. */
    private boolean isBetweenMessages(int utid, int row) {
        return loopers.get(utid) && slices.innermostAt(utid, states.ts(row)) < 0;
    }

    /** The sleep of a thread in calls that return when there is something to do. */
    private void addPolls(int utid, Layers layers) {
        for (int call : polls.getOrDefault(utid, List.of())) {
            for (int row = Math.max(states.at(utid, slices.ts(call)), states.first(utid));
                    row < states.end(utid) && states.ts(row) < slices.endNs(call);
                    row++) {
                if (states.state(row) == SchedState.SLEEPING) {
                    long from = Math.max(slices.ts(call), states.ts(row));
                    layers.add(BlockedKind.IDLE, from, Math.min(slices.endNs(call), coverage.endNs(row)));
                }
            }
        }
    }

    /** The intervals of one thread, added in layers. Time that an earlier layer covers does not count again. */
    private static final class Layers {
        private final Map<BlockedKind, Long> sums = new EnumMap<>(BlockedKind.class);
        private List<long[]> covered = List.of(); // by the layers before, by time, without overlaps
        private List<long[]> added = new ArrayList<>(); // in this layer
        private int next; // in covered
        private long endNs = Long.MIN_VALUE; // of this layer

        /** Adds an interval to the current layer, in time order; overlapping time counts once. */
        void add(BlockedKind kind, long fromNs, long toNs) {
            long at = Math.max(fromNs, endNs);
            while (next < covered.size() && covered.get(next)[1] <= at) {
                next++;
            }
            for (int i = next; at < toNs; i++) {
                long until = i < covered.size() ? Math.min(toNs, covered.get(i)[0]) : toNs;
                if (until > at) {
                    sums.merge(kind, until - at, Long::sum);
                    added.add(new long[] {at, until});
                }
                at = Math.max(at, i < covered.size() ? covered.get(i)[1] : toNs);
            }
            endNs = Math.max(endNs, toNs);
        }

        void next() {
            List<long[]> all = new ArrayList<>(covered.size() + added.size());
            all.addAll(covered);
            all.addAll(added);
            all.sort(LongOrder.ascending(interval -> interval[0]));
            covered = all;
            added = new ArrayList<>();
            next = 0;
            endNs = Long.MIN_VALUE;
        }
    }
}
