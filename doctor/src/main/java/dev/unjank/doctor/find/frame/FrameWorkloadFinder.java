package dev.unjank.doctor.find.frame;

import dev.unjank.doctor.find.thread.ThreadRefFactory;
import dev.unjank.doctor.model.CodeOrigin;
import dev.unjank.doctor.model.Frame;
import dev.unjank.doctor.model.FrameCost;
import dev.unjank.doctor.model.FrameWorkload;
import dev.unjank.doctor.model.LongOrder;
import dev.unjank.doctor.model.ThreadRef;
import dev.unjank.doctor.model.Wait;
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

/** Says what a program did in a frame that it did not wait for: which thread worked, and in which slices its time went by. */
public final class FrameWorkloadFinder {
    /** Android's name for the thread that draws what the main thread has prepared. */
    private static final String RENDERER = "RenderThread";

    private static final int MOST_PIECES = 3;

    /** What took a smaller share of a frame is not worth a word. */
    private static final int LEAST_SHARE = 20;

    private final Threads threads;
    private final ThreadStates states;
    private final Slices slices;
    private final ThreadRefFactory refs;
    private final Trace trace;

    public FrameWorkloadFinder(Trace trace, ThreadRefFactory refs) {
        this.trace = trace;
        this.threads = trace.threads();
        this.states = trace.threadStates();
        this.slices = trace.slices();
        this.refs = refs;
    }

    /** A stretch of time in which a thread did not wait. */
    private record Stretch(long from, long to) {}

    /** Looks at a frame, of which {@code costs} are the waits that count. */
    public FrameWorkload of(Frame frame, List<FrameCost> costs) {
        long waitedNs = costs.stream().mapToLong(FrameCost::overlapNs).sum();
        FrameWorkload most = null;
        for (int utid : workers(frame)) {
            FrameWorkload its = of(frame, waitedNs, utid, rest(frame, utid, costs));
            if (most == null || its.runningNs() > most.runningNs()) {
                most = its;
            }
        }
        return most != null ? most : new FrameWorkload(frame, waitedNs, CodeOrigin.UNKNOWN, null, 0, null, List.of());
    }

    /** Who works on a frame: the thread whose it is; else the main one, and on Android the one that draws. */
    private List<Integer> workers(Frame frame) {
        List<Integer> workers = new ArrayList<>();
        int first = frame.utid() >= 0 || frame.upid() < 0
                ? frame.utid()
                : trace.processes().mainThread(frame.upid());
        if (first >= 0) {
            workers.add(first);
        }
        for (int utid = 0; frame.utid() < 0 && frame.upid() >= 0 && utid < threads.size(); utid++) {
            if (threads.upid(utid) == frame.upid() && RENDERER.equals(threads.name(utid))) {
                workers.add(utid);
            }
        }
        return workers;
    }

    /** The frame without the waits of a thread, and of all threads. */
    private static List<Stretch> rest(Frame frame, int utid, List<FrameCost> costs) {
        List<Wait> waits = costs.stream()
                .map(cost -> cost.incident().rootWait())
                .filter(wait -> wait.isProcessPause() || wait.thread().utid() == utid)
                .sorted(LongOrder.ascending(Wait::startNs))
                .toList();
        List<Stretch> rest = new ArrayList<>();
        long at = frame.startNs();
        for (Wait wait : waits) {
            if (at < wait.startNs()) {
                rest.add(new Stretch(at, wait.startNs()));
            }
            at = Math.max(at, wait.endNs());
        }
        if (at < frame.endNs()) {
            rest.add(new Stretch(at, frame.endNs()));
        }
        return rest;
    }

    private FrameWorkload of(Frame frame, long waitedNs, int utid, List<Stretch> rest) {
        ThreadRef worker = refs.during(utid, frame.startNs(), frame.endNs(), null);
        List<FrameWorkload.SliceTime> pieces = pieces(utid, frame, rest).entrySet().stream()
                .filter(slice -> slice.getValue() >= frame.durNs() / LEAST_SHARE)
                .sorted(LongOrder.descending(Map.Entry::getValue))
                .limit(MOST_PIECES)
                .map(slice -> new FrameWorkload.SliceTime(slice.getKey(), slice.getValue()))
                .toList();
        StateTimes times = new StateTimes(utid, rest);
        return new FrameWorkload(frame, waitedNs, worker.origin(), worker, times.ranNs, times.sleep(frame), pieces);
    }

    /** What a thread was doing in some stretches of time, as the scheduler tells it. */
    private final class StateTimes {
        private final Map<Integer, Long> sleptByWaker = new LinkedHashMap<>();
        private long ranNs;
        private long sleptNs;

        StateTimes(int utid, List<Stretch> stretches) {
            for (Stretch stretch : stretches) {
                for (int row = Math.max(states.at(utid, stretch.from), states.first(utid));
                        row < states.end(utid) && states.ts(row) < stretch.to;
                        row++) {
                    add(row, row + 1 < states.end(utid), overlap(stretch, states.ts(row), states.endNs(row)));
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

        /** The sleep, if it took a share of the frame that is worth a word, and whoever ended more than half of it. */
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

    /** How long slices of each name took: each for all of its time, and for as much less what is around it. */
    private Map<String, Long> pieces(int utid, Frame frame, List<Stretch> rest) {
        Map<String, Long> sums = new LinkedHashMap<>();
        for (int row = slices.innermostAt(utid, frame.startNs()); row >= 0; row = slices.parent(row)) {
            add(row, rest, sums);
        }
        for (int row = slices.firstAfter(utid, frame.startNs());
                row < slices.end(utid) && slices.ts(row) < frame.endNs();
                row++) {
            add(row, rest, sums);
        }
        return sums;
    }

    private void add(int row, List<Stretch> rest, Map<String, Long> sums) {
        long ns = 0;
        for (Stretch stretch : rest) {
            ns += overlap(stretch, slices.ts(row), slices.endNs(row));
        }
        if (ns > 0) {
            sums.merge(slices.name(row), ns, Long::sum);
            if (slices.parent(row) >= 0) {
                sums.merge(slices.name(slices.parent(row)), -ns, Long::sum);
            }
        }
    }

    private static long overlap(Stretch stretch, long from, long to) {
        return Math.max(0, Math.min(stretch.to, to) - Math.max(stretch.from, from));
    }
}
