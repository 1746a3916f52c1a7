package dev.unjank.doctor.find.frame;

import dev.unjank.doctor.find.thread.ThreadRefFactory;
import dev.unjank.doctor.model.CodeOrigin;
import dev.unjank.doctor.model.Frame;
import dev.unjank.doctor.model.FrameCost;
import dev.unjank.doctor.model.FrameWorkload;
import dev.unjank.doctor.model.ThreadRef;
import dev.unjank.doctor.model.Wait;
import dev.unjank.trace.collections.LongOrder;
import dev.unjank.trace.model.SchedState;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.ThreadStates;
import dev.unjank.trace.model.Threads;
import dev.unjank.trace.model.Trace;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds the work of a program in a frame, outside of its waits: the busiest thread, and its slices. */
public final class FrameWorkloadFinder {
    private static final int MAX_SLICES = 3;

    /** Slices and sleep with less than a twentieth of the frame are left out. */
    private static final int LEAST_SHARE = 20;

    private final ThreadStates states;
    private final Slices slices;
    private final ThreadRefFactory refs;

    public FrameWorkloadFinder(Trace trace, ThreadRefFactory refs) {
        this.states = trace.threadStates();
        this.slices = trace.slices();
        this.refs = refs;
    }

    /** An interval without a wait. */
    private record Interval(long from, long to) {}

    /** Finds the work in a frame with the waits of {@code costs}. */
    public FrameWorkload of(Frame frame, List<FrameCost> costs) {
        long waitNs = costs.stream().mapToLong(FrameCost::overlapNs).sum();
        FrameWorkload most = null;
        List<Integer> workers = new ArrayList<>(frame.renderers());
        if (frame.utid() >= 0) {
            workers.addFirst(frame.utid());
        }
        for (int utid : workers) {
            FrameWorkload workload = of(frame, waitNs, utid, withoutWaits(frame, utid, costs));
            if (most == null || workload.runningNs() > most.runningNs()) {
                most = workload;
            }
        }
        return most != null ? most : new FrameWorkload(frame, waitNs, CodeOrigin.UNKNOWN, null, 0, null, List.of());
    }

    /** The parts of a frame without waits of a thread, and of all threads. */
    private static List<Interval> withoutWaits(Frame frame, int utid, List<FrameCost> costs) {
        List<Wait> waits = costs.stream()
                .map(cost -> cost.incident().rootWait())
                .filter(wait -> wait.isProcessPause() || wait.thread().utid() == utid)
                .sorted(LongOrder.ascending(Wait::startNs))
                .toList();
        List<Interval> intervals = new ArrayList<>();
        long at = frame.startNs();
        for (Wait wait : waits) {
            if (at < wait.startNs()) {
                intervals.add(new Interval(at, wait.startNs()));
            }
            at = Math.max(at, wait.endNs());
        }
        if (at < frame.endNs()) {
            intervals.add(new Interval(at, frame.endNs()));
        }
        return intervals;
    }

    private FrameWorkload of(Frame frame, long waitNs, int utid, List<Interval> intervals) {
        ThreadRef worker = refs.during(utid, frame.startNs(), frame.endNs(), null);
        List<FrameWorkload.SliceTime> longest = sliceTimes(utid, frame, intervals).entrySet().stream()
                .filter(slice -> slice.getValue() >= frame.durNs() / LEAST_SHARE)
                .sorted(LongOrder.descending(Map.Entry::getValue))
                .limit(MAX_SLICES)
                .map(slice -> new FrameWorkload.SliceTime(slice.getKey(), slice.getValue()))
                .toList();
        StateTimes times = new StateTimes(utid, intervals);
        return new FrameWorkload(frame, waitNs, worker.origin(), worker, times.ranNs, times.sleep(frame), longest);
    }

    /** The time that a thread spent running and sleeping in some intervals, by the scheduler's events. */
    private final class StateTimes {
        private final Map<Integer, Long> sleptByWaker = new LinkedHashMap<>();
        private long ranNs;
        private long sleptNs;

        StateTimes(int utid, List<Interval> intervals) {
            for (Interval interval : intervals) {
                for (int row = Math.max(states.at(utid, interval.from), states.first(utid));
                        row < states.end(utid) && states.ts(row) < interval.to;
                        row++) {
                    add(row, row + 1 < states.end(utid), overlap(interval, states.ts(row), states.endNs(row)));
                }
            }
        }

        private void add(int row, boolean isFollowed, long ns) {
            SchedState state = states.state(row);
            if (state == SchedState.RUNNING) {
                ranNs += ns;
            } else if (!state.isRunnable() && state != SchedState.UNKNOWN) {
                sleptNs += ns;
                if (isFollowed && states.waker(row + 1) >= 0) {
                    sleptByWaker.merge(states.waker(row + 1), ns, Long::sum);
                }
            }
        }

        /** The sleep, with the waker that ended more than half of it; null if short. */
        FrameWorkload.@Nullable Sleep sleep(Frame frame) {
            if (sleptNs < frame.durNs() / LEAST_SHARE) {
                return null;
            }
            for (Map.Entry<Integer, Long> woken : sleptByWaker.entrySet()) {
                if (woken.getValue() * 2 > sleptNs && woken.getKey() != Threads.IDLE) {
                    ThreadRef waker = refs.during(woken.getKey(), frame.startNs(), frame.endNs(), null);
                    return new FrameWorkload.Sleep(sleptNs, waker, woken.getValue());
                }
            }
            return new FrameWorkload.Sleep(sleptNs, null, 0);
        }
    }

    /** The time of slices by name, without nested slices. */
    private Map<String, Long> sliceTimes(int utid, Frame frame, List<Interval> intervals) {
        Map<String, Long> sums = new LinkedHashMap<>();
        for (int row = slices.innermostAt(utid, frame.startNs()); row >= 0; row = slices.parent(row)) {
            add(row, intervals, sums);
        }
        for (int row = slices.firstAfter(utid, frame.startNs());
                row < slices.end(utid) && slices.ts(row) < frame.endNs();
                row++) {
            add(row, intervals, sums);
        }
        return sums;
    }

    private void add(int row, List<Interval> intervals, Map<String, Long> sums) {
        long ns = 0;
        for (Interval interval : intervals) {
            ns += overlap(interval, slices.ts(row), slices.endNs(row));
        }
        if (ns > 0) {
            sums.merge(slices.name(row), ns, Long::sum);
            if (slices.parent(row) >= 0) {
                sums.merge(slices.name(slices.parent(row)), -ns, Long::sum);
            }
        }
    }

    private static long overlap(Interval interval, long from, long to) {
        return Math.max(0, Math.min(interval.to, to) - Math.max(interval.from, from));
    }
}
