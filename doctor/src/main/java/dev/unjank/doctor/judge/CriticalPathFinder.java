package dev.unjank.doctor.judge;

import dev.unjank.doctor.find.thread.ThreadRefFactory;
import dev.unjank.doctor.find.wait.BlockedInterval;
import dev.unjank.doctor.find.wait.WaitIndex;
import dev.unjank.doctor.find.wait.WakeUps;
import dev.unjank.doctor.model.CriticalPath;
import dev.unjank.doctor.model.Frame;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.Owner;
import dev.unjank.doctor.model.OwnerInterval;
import dev.unjank.doctor.model.OwnerState;
import dev.unjank.doctor.model.Segment;
import dev.unjank.doctor.model.ThreadRef;
import dev.unjank.trace.collections.LongOrder;
import dev.unjank.trace.model.SchedState;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.ThreadStates;
import dev.unjank.trace.model.Threads;
import dev.unjank.trace.model.Trace;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds the critical path of a frame. It is the UI thread or looper that drew the frame until, on Android, the render
 * thread draws the frame, then that thread. Where one of them slept within a slice, and a thread of its process woke
 * it, the path goes through that thread from the begin of the sleep to the wake-up, and so on. A wait with a recorded
 * owner remains with the thread that waits, as a segment with the wait's blame tree.
 */
final class CriticalPathFinder {
    /** Shorter sleeps are not followed: they are ordinary hand-overs between threads. */
    private static final long MIN_SLEEP_NS = 100_000;

    /** The most threads, each waiting for the next, that are followed. */
    private static final int MAX_DEPTH = 8;

    private final Trace trace;
    private final ThreadStates states;
    private final Slices slices;
    private final ThreadRefFactory refs;
    private final WakeUps wakeUps;
    private final IncidentBuilder incidents;
    private final DrawingSlices drawing;

    CriticalPathFinder(Trace trace, ThreadRefFactory refs, IncidentBuilder incidents) {
        this.trace = trace;
        this.states = trace.threadStates();
        this.slices = trace.slices();
        this.refs = refs;
        this.wakeUps = new WakeUps(trace);
        this.incidents = incidents;
        this.drawing = new DrawingSlices(trace);
    }

    /** {@return the critical path of a frame} */
    CriticalPath of(Frame frame) {
        Path path = new Path();
        int draw = drawing.of(frame);
        long drawNs = draw < 0 ? frame.endNs() : Math.max(frame.startNs(), slices.ts(draw));
        long drawnNs = draw < 0 ? frame.endNs() : Math.min(frame.endNs(), slices.endNs(draw));
        if (frame.utid() >= 0) {
            path.follow(frame.utid(), frame.startNs(), drawNs, true);
        } else {
            path.unknown(frame.startNs(), drawNs);
        }
        if (drawNs < drawnNs) {
            path.follow(slices.utid(draw), drawNs, drawnNs, true);
        }
        path.unknown(drawnNs, frame.endNs());
        return new CriticalPath(path.intervals, path.threads(frame.durNs()));
    }

    /** The path so far, in time order. */
    private final class Path {
        private final List<OwnerInterval> intervals = new ArrayList<>();
        private final Map<Integer, PathSlices> slicesByThread = new HashMap<>();

        /** The threads that wait for each other at the current time. */
        private final List<Integer> sleeping = new ArrayList<>();

        void follow(int utid, long from, long to, boolean isOwn) {
            BlockedInterval[] waits = incidents.waitsForOtherThreads(utid);
            long at = from;
            slicesOf(utid).addSpan(utid, from, to);
            sleeping.add(utid);
            for (int row = Math.max(states.at(utid, from), states.first(utid));
                    row + 1 < states.end(utid) && states.ts(row) < to;
                    row++) {
                long start = Math.max(from, states.ts(row));
                long end = Math.min(to, states.ts(row + 1));
                if (end - start >= MIN_SLEEP_NS && isFollowed(utid, row, start, end, waits)) {
                    add(utid, at, start, isOwn);
                    follow(states.waker(row + 1), start, end, false);
                    at = end;
                }
            }
            sleeping.removeLast();
            add(utid, at, to, isOwn);
        }

        private boolean isFollowed(int utid, int row, long start, long end, BlockedInterval[] waits) {
            SchedState state = states.state(row);
            int waker = states.waker(row + 1);
            if (state.isRunnable() || state == SchedState.RUNNING || state == SchedState.UNKNOWN) {
                return false;
            }
            int wait = WaitIndex.firstEndingAfter(waits, start);
            return waker != Threads.IDLE
                    && waker >= 0
                    && !sleeping.contains(waker)
                    && sleeping.size() < MAX_DEPTH
                    && trace.threads().upid(utid) >= 0
                    && trace.threads().upid(utid) == trace.threads().upid(waker)
                    && wakeUps.mayShareProcess(utid, waker)
                    && slices.innermostAt(utid, start) >= 0
                    && (wait == waits.length || waits[wait].startNs() >= end);
        }

        private void add(int utid, long from, long to, boolean isOwn) {
            if (from < to) {
                Owner owner = isOwn ? refs.ownerItself(utid, from, to) : refs.ownerByWaker(utid, from, to);
                intervals.add(OwnerInterval.of(owner, from, to, incidents.states(owner, from, to)));
                slicesOf(utid).addPart(utid, from, to);
            }
        }

        private PathSlices slicesOf(int utid) {
            return slicesByThread.computeIfAbsent(utid, _ -> new PathSlices(slices));
        }

        void unknown(long from, long to) {
            if (from < to) {
                Owner owner = ThreadRefFactory.unknownOwner();
                Segment segment = new Segment(
                        OwnerState.UNKNOWN, from, to - from, owner.thread(), null, List.of(), List.of(), null);
                intervals.add(new OwnerInterval(owner, from, to - from, List.of(segment)));
            }
        }

        List<CriticalPath.ThreadWork> threads(long frameNs) {
            Map<Integer, List<OwnerInterval>> byThread = new LinkedHashMap<>();
            for (OwnerInterval interval : intervals) {
                byThread.computeIfAbsent(interval.owner().thread().utid(), _ -> new ArrayList<>())
                        .add(interval);
            }
            List<CriticalPath.ThreadWork> threads = new ArrayList<>();
            byThread.values().forEach(of -> threads.add(work(of, frameNs)));
            threads.sort(LongOrder.descending(CriticalPath.ThreadWork::durNs));
            return threads;
        }

        private CriticalPath.ThreadWork work(List<OwnerInterval> intervals, long frameNs) {
            Map<OwnerState, Long> sums = new EnumMap<>(OwnerState.class);
            intervals.forEach(
                    interval -> interval.segments().forEach(part -> sums.merge(part.state(), part.durNs(), Long::sum)));
            List<Incident.StateDuration> times = new ArrayList<>();
            sums.forEach((state, ns) -> times.add(new Incident.StateDuration(state, ns)));
            times.sort(LongOrder.descending(Incident.StateDuration::durNs));
            ThreadRef thread = intervals.getFirst().owner().thread();
            long durNs = times.stream().mapToLong(Incident.StateDuration::durNs).sum();
            return new CriticalPath.ThreadWork(
                    thread,
                    durNs,
                    times,
                    thread.isInTrace() ? slicesOf(thread.utid()).longest(frameNs) : List.of());
        }
    }
}
