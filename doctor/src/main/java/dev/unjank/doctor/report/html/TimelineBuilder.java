package dev.unjank.doctor.report.html;

import dev.unjank.doctor.find.activity.SampledFunctions;
import dev.unjank.doctor.find.thread.JvmThreads;
import dev.unjank.doctor.model.CodeOrigin;
import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.Frame;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.OwnerInterval;
import dev.unjank.doctor.model.OwnerState;
import dev.unjank.doctor.model.PreemptingThread;
import dev.unjank.doctor.model.Segment;
import dev.unjank.doctor.model.ThreadRef;
import dev.unjank.doctor.model.Wait;
import dev.unjank.doctor.model.WaitKind;
import dev.unjank.doctor.report.html.Timeline.FrameSpan;
import dev.unjank.doctor.report.html.Timeline.Kind;
import dev.unjank.doctor.report.html.Timeline.Lane;
import dev.unjank.doctor.report.html.Timeline.Link;
import dev.unjank.doctor.report.html.Timeline.Role;
import dev.unjank.doctor.report.html.Timeline.Slice;
import dev.unjank.doctor.report.html.Timeline.State;
import dev.unjank.trace.model.Frames;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.ThreadStates;
import dev.unjank.trace.model.Threads;
import dev.unjank.trace.model.Trace;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Gathers from a trace what the drawing of an incident needs. However long the incident and however busy its threads,
 * the result and the work are bounded: few lanes, and in each at most as many states and slices as a screen can show.
 */
final class TimelineBuilder {
    private static final int MOST_OWNERS = 6;
    private static final int MAX_PREEMPTING = 5;
    private static final int MOST_OF_MACHINE = 3;
    private static final int MOST_LINKS = 200;
    private static final int MOST_FRAMES = 40;

    /** About the columns of a wide screen. A lane with more than twice as many states is sampled at so many moments. */
    private static final int COLUMNS = 1_500;

    private static final int MOST_SLICES = 400;
    private static final int MOST_SLICES_READ = 20_000;
    private static final int DEEPEST_SLICE = 5;

    /** The time shown around an incident, as a share of its length and in ns. */
    private static final double MARGIN = 0.35;

    private static final long LEAST_MARGIN_NS = 200_000;
    private static final long MOST_MARGIN_NS = 500_000_000;

    private final Trace trace;
    private final ThreadStates states;
    private final Slices slices;
    private final long statesEndNs;
    private final WorkCertainty work;
    private final SampledFunctions code;
    private final BitSet jvmThreads;
    private final Map<WaitKind, BitSet> atStops;
    private final Map<Integer, List<Frame>> framesOf; // by upid

    TimelineBuilder(Diagnosis diagnosis, Trace trace) {
        this.framesOf = diagnosis.frames().stream().collect(Collectors.groupingBy(Frame::upid));
        this.trace = trace;
        this.states = trace.threadStates();
        this.slices = trace.slices();
        this.work = new WorkCertainty(trace);
        this.code = new SampledFunctions(trace);
        this.jvmThreads = JvmThreads.of(trace);
        this.atStops = Map.of(
                WaitKind.GC, JvmThreads.activeDuringPause(trace, WaitKind.GC),
                WaitKind.SAFEPOINT, JvmThreads.activeDuringPause(trace, WaitKind.SAFEPOINT));
        this.statesEndNs = states.recordedUntilNs();
    }

    /** {@return what to draw of an incident} */
    Timeline of(Incident incident) {
        Wait tree = incident.rootWait();
        long margin = Math.clamp(Math.round(tree.durNs() * MARGIN), LEAST_MARGIN_NS, MOST_MARGIN_NS);
        long from = Math.max(trace.startNs(), tree.startNs() - margin);
        long frameEnd = Math.min(endOfFrames(tree), tree.endNs() + 2 * margin);
        long to = Math.min(trace.endNs(), Math.max(tree.endNs() + margin, frameEnd));

        Map<Integer, Lane> lanes = new LinkedHashMap<>(); // by utid
        if (tree.isProcessPause()) {
            addStopped(lanes, tree, from, to);
        }
        add(lanes, tree, tree.thread(), Role.BLOCKED, from, to);
        incident.chain()
                .forEach(wait ->
                        add(lanes, tree, wait.longestOwnerInterval().owner().thread(), Role.OWNER, from, to));
        addOwners(lanes, tree, tree, from, to);
        if (isPaused(tree)) {
            addJvmThreads(lanes, tree, from, to);
        }
        int owners = lanes.size();
        for (PreemptingThread preempting : incident.preemptingThreads()) {
            if (lanes.size() < owners + MAX_PREEMPTING) {
                add(lanes, tree, preempting.thread(), Role.PREEMPTING, from, to);
            }
        }
        List<Integer> order = List.copyOf(lanes.keySet());
        List<Link> links = new ArrayList<>();
        if (tree.isProcessPause()) {
            int at = 0;
            for (Lane lane : lanes.values()) {
                if (lane.role() != Role.MACHINE) {
                    links.add(new Link(at, -1, null, tree.kind(), tree.startNs(), tree.durNs()));
                }
                at++;
            }
        } else {
            addLinks(links, order, tree);
        }
        return new Timeline(from, to, List.copyOf(lanes.values()), links, frames(tree.thread(), from, to));
    }

    /** Whether a virtual machine paused all threads, not a signal or a debugger. */
    private static boolean isPaused(Wait tree) {
        return tree.isProcessPause() && tree.kind() != WaitKind.STOP;
    }

    /**
     * Of the virtual machine's own threads those that ran the operation for which the others were paused, as far as
     * they are seen: first the one that does its operations, then those that are surest to have been running.
     */
    private void addJvmThreads(Map<Integer, Lane> lanes, Wait tree, long from, long to) {
        atStops.getOrDefault(tree.kind(), new BitSet()).stream()
                .filter(utid -> isThere(utid, tree))
                .mapToObj(utid -> new Candidate(utid, work.at(utid, tree.startNs(), from, to)))
                .filter(candidate -> candidate.work() != WorkCertainty.Degree.IDLE)
                .sorted(Comparator.comparing((Candidate candidate) -> !isOperating(candidate.utid()))
                        .thenComparing(Candidate::work))
                .limit(MOST_OF_MACHINE)
                .forEach(candidate -> add(lanes, tree, ref(candidate.utid()), Role.MACHINE, from, to));
    }

    private boolean isOperating(int utid) {
        return atStops.getOrDefault(WaitKind.SAFEPOINT, new BitSet()).get(utid);
    }

    private boolean isThere(int utid, Wait tree) {
        Threads threads = trace.threads();
        return threads.upid(utid) == tree.thread().upid()
                && threads.startNs(utid) < tree.endNs()
                && threads.endNs(utid) > tree.startNs();
    }

    /** The threads of a paused process that had work, otherwise those without data; idle threads lost nothing. */
    private void addStopped(Map<Integer, Lane> lanes, Wait tree, long from, long to) {
        Threads threads = trace.threads();
        List<Candidate> candidates = IntStream.range(0, threads.size())
                .filter(utid -> isThere(utid, tree) && !(isPaused(tree) && jvmThreads.get(utid)))
                .mapToObj(utid -> new Candidate(utid, work.at(utid, tree.startNs(), from, to)))
                .filter(candidate -> candidate.work() != WorkCertainty.Degree.IDLE)
                .sorted(Comparator.comparing(Candidate::work)
                        .thenComparing(candidate -> threads.name(candidate.utid()) == null))
                .limit(MOST_OWNERS)
                .toList();
        boolean known = !candidates.isEmpty() && candidates.getFirst().work() != WorkCertainty.Degree.UNKNOWN;
        for (Candidate candidate : candidates) {
            boolean sure = candidate.work() != WorkCertainty.Degree.UNKNOWN;
            if (sure || (!known && (threads.name(candidate.utid()) != null || lanes.isEmpty()))) {
                add(lanes, tree, ref(candidate.utid()), Role.BLOCKED, from, to);
            }
        }
    }

    private record Candidate(int utid, WorkCertainty.Degree work) {}

    private void addOwners(Map<Integer, Lane> lanes, Wait tree, Wait wait, long from, long to) {
        for (OwnerInterval ownerInterval : wait.ownerIntervals()) {
            if (lanes.size() > MOST_OWNERS) {
                return;
            }
            add(lanes, tree, ownerInterval.owner().thread(), Role.OWNER, from, to);
            for (Segment part : ownerInterval.segments()) {
                if (part.nextWait() != null) {
                    addOwners(lanes, tree, part.nextWait(), from, to);
                }
            }
        }
    }

    private void add(Map<Integer, Lane> lanes, Wait tree, ThreadRef thread, Role role, long from, long to) {
        if (thread.isInTrace() && !lanes.containsKey(thread.utid())) {
            lanes.put(thread.utid(), lane(tree, thread, role, from, to));
        }
    }

    private static void addLinks(List<Link> links, List<Integer> order, Wait wait) {
        int lane = order.indexOf(wait.thread().utid());
        for (OwnerInterval ownerInterval : wait.ownerIntervals()) {
            if (lane < 0 || links.size() >= MOST_LINKS) {
                return;
            }
            ThreadRef thread = ownerInterval.owner().thread();
            int owner = order.indexOf(thread.utid());
            ThreadRef unseen = owner < 0 && thread.isKnown() ? thread : null;
            links.add(new Link(lane, owner, unseen, wait.kind(), ownerInterval.startNs(), ownerInterval.durNs()));
            for (Segment part : ownerInterval.segments()) {
                if (part.nextWait() != null) {
                    addLinks(links, order, part.nextWait());
                }
            }
        }
    }

    /** When the frames that a wait is in the way of are done and should have been, with a little room behind. */
    private long endOfFrames(Wait wait) {
        long end = Long.MIN_VALUE;
        for (FrameSpan span : frames(wait.thread(), wait.startNs(), wait.endNs())) {
            end = Math.max(end, Math.max(span.frame().endNs(), span.deadlineNs()));
        }
        return end + wait.durNs() / 50;
    }

    /** The frames that a thread works on in an interval, those that begin first. */
    private List<FrameSpan> frames(ThreadRef thread, long from, long to) {
        List<FrameSpan> spans = new ArrayList<>();
        for (Frame frame : framesOf.getOrDefault(thread.upid(), List.of())) {
            boolean overlaps = frame.startNs() < to && frame.endNs() > from;
            if (overlaps && frame.isOf(thread) && spans.size() < MOST_FRAMES) {
                spans.add(new FrameSpan(frame, deadline(frame)));
            }
        }
        return spans;
    }

    private long deadline(Frame frame) {
        if (frame.source() == Frame.Source.TIMELINE) {
            return trace.frames().deadlineNs(frame.row());
        }
        return frame.missedByNs() > 0 ? frame.endNs() - frame.missedByNs() : Frames.NO_TIME;
    }

    private Lane lane(Wait tree, ThreadRef thread, Role role, long from, long to) {
        int utid = thread.utid();
        int first = Math.max(states.at(utid, from), states.first(utid));
        int last = states.at(utid, to - 1);
        int end = last < 0 ? states.end(utid) : last + 1; // -1 also if the thread ended before
        boolean coarse = end - first > 2 * COLUMNS;
        return new Lane(
                thread,
                role,
                coarse
                        ? sampled(utid, from, to)
                        : trace.hasScheduling() ? exact(first, end, from, to) : BlameTreeStates.of(tree, utid),
                role == Role.PREEMPTING ? List.of() : slices(utid, from, to),
                coarse);
    }

    private List<State> exact(int first, int end, long from, long to) {
        List<State> exact = new ArrayList<>();
        for (int row = first; row < end && states.ts(row) < to; row++) {
            add(exact, row, Math.max(from, states.ts(row)), Math.min(to, Math.min(states.endNs(row), statesEndNs)));
        }
        return exact;
    }

    /** The states of the thread at evenly spaced moments. */
    private List<State> sampled(int utid, long from, long to) {
        List<State> sampled = new ArrayList<>();
        for (int i = 0; i < COLUMNS; i++) {
            long start = from + (to - from) * i / COLUMNS;
            int row = states.at(utid, start);
            if (row >= 0 && start < statesEndNs) {
                add(sampled, row, start, from + (to - from) * (i + 1) / COLUMNS);
            }
        }
        return sampled;
    }

    private void add(List<State> list, int row, long from, long to) {
        if (from < to) {
            list.add(new State(kind(row, from, to), from, to - from));
        }
    }

    private Kind kind(int row, long from, long to) {
        OwnerState state = OwnerState.of(states, row);
        int waker = states.state(row).isRunnable() ? states.waker(row) : -1;
        return new Kind(
                state,
                state == OwnerState.RUNNING ? states.cpu(row) : -1,
                states.priority(row),
                state.isAsleep()
                        ? states.blockedFunction(row)
                        : state == OwnerState.RUNNING ? code.during(states.utid(row), from, to) : null,
                waker <= 0 ? null : ref(waker));
    }

    private ThreadRef ref(int utid) {
        int upid = trace.threads().upid(utid);
        return new ThreadRef(
                utid,
                trace.threads().tid(utid),
                trace.threads().name(utid),
                upid,
                upid < 0 ? null : trace.processes().name(upid),
                trace.threads().isMain(utid),
                ThreadStates.NO_PRIORITY,
                ThreadStates.NO_PRIORITY,
                CodeOrigin.UNKNOWN);
    }

    /** The longest of the slices in an interval, those around its beginning among them. */
    private List<Slice> slices(int utid, long from, long to) {
        List<Slice> found = new ArrayList<>();
        for (int row = slices.innermostAt(utid, from); row >= 0; row = slices.parent(row)) {
            addSlice(found, row, from, to);
        }
        long least = (to - from) / COLUMNS;
        int first = slices.firstAfter(utid, from);
        int end = Math.min(slices.end(utid), first + MOST_SLICES_READ);
        for (int row = first; row < end && slices.ts(row) < to; row++) {
            if (slices.dur(row) >= least) {
                addSlice(found, row, from, to);
            }
        }
        if (found.size() > MOST_SLICES) {
            found.sort(Comparator.comparingLong(Slice::durNs).reversed());
            found.subList(MOST_SLICES, found.size()).clear();
        }
        found.sort(Comparator.comparingLong(Slice::startNs).thenComparingInt(Slice::depth));
        return found;
    }

    private void addSlice(List<Slice> list, int row, long from, long to) {
        long start = Math.max(from, slices.ts(row));
        long end = Math.min(to, slices.endNs(row));
        if (slices.depth(row) < DEEPEST_SLICE && start < end) {
            list.add(new Slice(slices.name(row), start, end - start, slices.depth(row)));
        }
    }
}
