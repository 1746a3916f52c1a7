package dev.unjank.doctor.find.runtime;

import dev.unjank.doctor.find.activity.OffSchedulerActivity;
import dev.unjank.doctor.find.code.CodeSiteFinder;
import dev.unjank.doctor.find.runtime.RuntimeWaitTable.Entry;
import dev.unjank.doctor.find.thread.ThreadRefFactory;
import dev.unjank.doctor.find.wait.BlameInterval;
import dev.unjank.doctor.find.wait.BlockedInterval;
import dev.unjank.doctor.find.wait.WaitSource;
import dev.unjank.doctor.model.CallStack;
import dev.unjank.doctor.model.CodeLocation;
import dev.unjank.doctor.model.CpuSamples;
import dev.unjank.doctor.model.Evidence;
import dev.unjank.doctor.model.Owner;
import dev.unjank.doctor.model.WaitKind;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.StackSamples;
import dev.unjank.trace.model.Trace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Long handlers on event threads: recorded as spans of the thread, or pieced together from its samples and its waits
 * with a stack. The handler is the outermost method of the program; the code to change is the method in which it spent
 * its time. A handler that mostly waited is none: its wait is the incident.
 */
public final class LongHandlers implements WaitSource {
    /** Part of the names of the classes that the JVM makes for lambdas, whose methods only call the program's. */
    private static final String LAMBDA_CLASS = "$$Lambda";

    private final Slices slices;
    private final StackSamples samples;
    private final CpuSamples stacks;
    private final RuntimeWaitTable table;
    private final OffSchedulerActivity activity;
    private final ThreadRefFactory refs;
    private final BitSet eventThreads;
    private final long maxNs;
    private final CodeSiteFinder sites = new CodeSiteFinder(null);
    private final Map<Integer, List<Span>> byThread = new ConcurrentHashMap<>();

    /**
     * A time in which a thread was in one handler.
     *
     * @param handler the handler
     * @param startNs start, ns
     * @param endNs end, ns
     * @param runningNs the time that it ran, ns
     * @param isRecorded whether the trace records the handler as a span
     */
    private record Span(CodeLocation handler, long startNs, long endNs, long runningNs, boolean isRecorded) {
        Span plus(Span next) {
            return new Span(handler, startNs, Math.max(endNs, next.endNs), runningNs + next.runningNs, isRecorded);
        }
    }

    /** Reads a trace; handlers of at most the given length are not found. */
    public LongHandlers(
            Trace trace,
            RuntimeWaitTable table,
            OffSchedulerActivity activity,
            ThreadRefFactory refs,
            Duration maxHandler) {
        this.slices = trace.slices();
        this.samples = trace.samples();
        this.stacks = new CpuSamples(trace);
        this.table = table;
        this.activity = activity;
        this.refs = refs;
        this.eventThreads = EventThreads.of(trace);
        this.maxNs = maxHandler.toNanos();
    }

    @Override
    public void find(int utid, Consumer<BlockedInterval> found) {
        List<Span> spans = spans(utid);
        for (int i = 0; i < spans.size(); i++) {
            found.accept(new BlockedInterval(this, utid, i, spans.get(i).startNs, spans.get(i).endNs, false));
        }
    }

    private List<Span> spans(int utid) {
        return eventThreads.get(utid) ? byThread.computeIfAbsent(utid, this::findSpans) : List.of();
    }

    private List<Span> findSpans(int utid) {
        List<Span> recorded = recorded(utid);
        return (recorded.isEmpty() ? sampled(utid) : recorded)
                .stream()
                        .filter(span ->
                                span.endNs - span.startNs > maxNs && span.runningNs * 2 >= span.endNs - span.startNs)
                        .toList();
    }

    /**
     * The thread's outermost slices of messages or traced methods; what is not a recorded wait within counts as
     * running.
     */
    private List<Span> recorded(int utid) {
        List<Span> spans = new ArrayList<>();
        for (int row = slices.first(utid); row < slices.end(utid); row++) {
            if (slices.depth(row) == 0 && isHandler(slices.category(row)) && slices.dur(row) > 0) {
                long from = slices.ts(row);
                long to = slices.endNs(row);
                long waited = 0;
                for (Entry wait : table.of(utid)) {
                    waited += Math.max(0, Math.min(to, wait.endNs()) - Math.max(from, wait.startNs()));
                }
                CodeLocation handler = new CodeLocation(slices.name(row), null, CodeLocation.NO_LINE);
                spans.add(new Span(handler, from, to, to - from - waited, true));
            }
        }
        return spans;
    }

    private static boolean isHandler(String category) {
        return category.equals("mq") || category.equals("method");
    }

    private List<Span> sampled(int utid) {
        long periodNs = activity.periodNs();
        List<Span> pieces = new ArrayList<>();
        for (int row = samples.first(utid); row < samples.end(utid); row++) {
            CodeLocation handler = samples.isRunning(row) ? outermost(stacks.stack(samples.callstack(row))) : null;
            if (handler != null) {
                long ts = samples.ts(row);
                pieces.add(new Span(handler, ts - periodNs / 2, ts + periodNs / 2, periodNs, false));
            }
        }
        BreakTimes idle = new BreakTimes();
        for (Entry wait : table.of(utid)) {
            CodeLocation handler =
                    wait.meaning().isIdle() ? null : outermost(wait.meaning().stack());
            if (handler != null) {
                pieces.add(new Span(handler, wait.startNs(), wait.endNs(), 0, false));
            } else if (wait.meaning().isIdle()) {
                idle.add(wait.startNs());
            }
        }
        pieces.sort(Comparator.comparingLong(Span::startNs));
        return joined(pieces, idle, periodNs * 5 / 2);
    }

    /** The times at which the thread waited for its next event. */
    private static final class BreakTimes {
        private final List<Long> times = new ArrayList<>();

        void add(long ns) {
            times.add(ns);
        }

        boolean hasAny(long from, long to) {
            return times.stream().anyMatch(ns -> ns >= from && ns <= to);
        }
    }

    /** Joins pieces of the same handler with short gaps in which the thread did not wait for events. */
    private static List<Span> joined(List<Span> pieces, BreakTimes idle, long maxGapNs) {
        List<Span> spans = new ArrayList<>();
        for (Span piece : pieces) {
            Span last = spans.isEmpty() ? null : spans.getLast();
            if (last != null && continues(last, piece, idle, maxGapNs)) {
                spans.set(spans.size() - 1, last.plus(piece));
            } else {
                long start = last == null ? piece.startNs : Math.max(piece.startNs, last.endNs);
                spans.add(new Span(
                        piece.handler, start, Math.max(start, piece.endNs), piece.runningNs, piece.isRecorded));
            }
        }
        return spans;
    }

    private static boolean continues(Span last, Span piece, BreakTimes idle, long maxGapNs) {
        return last.handler.method().equals(piece.handler.method())
                && piece.startNs - last.endNs <= maxGapNs
                && !idle.hasAny(Math.min(last.endNs, piece.startNs), piece.startNs);
    }

    /** The outermost method of the program; null if only libraries are on the stack. */
    private @Nullable CodeLocation outermost(CallStack stack) {
        List<CodeLocation> frames = stack.frames();
        for (int i = frames.size() - 1; i >= 0; i--) {
            if (sites.isApplication(frames.get(i)) && !isOfLambdaClass(frames.get(i))) {
                return frames.get(i);
            }
        }
        return null;
    }

    static boolean isOfLambdaClass(CodeLocation frame) {
        return frame.method().contains(LAMBDA_CLASS);
    }

    @Override
    public Reason reason(BlockedInterval interval) {
        return new Reason(WaitKind.HANDLER, span(interval).handler.method(), work(interval), 0);
    }

    /** The method in which the handler spent its time, if samples show it; otherwise the handler. */
    private CodeLocation work(BlockedInterval interval) {
        CodeLocation hot = HotMethod.of(
                stacks.within(List.of(new CpuSamples.Span(interval.utid(), interval.startNs(), interval.endNs()))),
                sites);
        return hot == null ? span(interval).handler : hot;
    }

    private Span span(BlockedInterval interval) {
        return spans(interval.utid()).get(interval.row());
    }

    @Override
    public List<BlameInterval> blameIntervals(BlockedInterval interval) {
        Owner itself = refs.ownerItself(interval);
        Span span = span(interval);
        Evidence evidence = span.isRecorded ? Evidence.WAITER_EVENTS : Evidence.TIMING_INFERRED;
        return List.of(new BlameInterval(interval.startNs(), new Owner(itself.thread(), work(interval), evidence)));
    }
}
