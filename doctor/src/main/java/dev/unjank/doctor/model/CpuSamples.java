package dev.unjank.doctor.model;

import dev.unjank.trace.collections.LongOrder;
import dev.unjank.trace.model.Callstacks;
import dev.unjank.trace.model.StackSamples;
import dev.unjank.trace.model.Trace;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The stack samples of a trace, to be counted within some intervals of threads. Thread-safe. */
public final class CpuSamples {
    /** Start of the name of a function without a symbol. */
    private static final String ADDRESS = "0x";

    private final StackSamples samples;
    private final Callstacks calls;
    private final Map<Integer, CallStack> stacks = new ConcurrentHashMap<>();

    /**
     * Reads the samples of a trace.
     *
     * @param trace the trace
     */
    public CpuSamples(Trace trace) {
        samples = trace.samples();
        calls = trace.callstacks();
    }

    /**
     * An interval of a thread.
     *
     * @param utid the thread
     * @param startNs start, ns
     * @param endNs end, ns; a sample at this time is outside
     */
    public record Span(int utid, long startNs, long endNs) {}

    /** {@return whether the trace contains no samples} */
    public boolean isEmpty() {
        return samples.size() == 0;
    }

    /**
     * {@return the stacks of running threads within some intervals; a sample counts once, in how many of them it may
     * be}
     *
     * @param spans the intervals
     */
    public SampledStacks within(List<Span> spans) {
        if (isEmpty()) {
            return SampledStacks.NONE;
        }
        List<Span> sorted = new ArrayList<>(spans);
        sorted.sort(LongOrder.<Span>ascending(Span::utid).thenComparing(LongOrder.ascending(Span::startNs)));
        Map<Integer, Integer> counts = new LinkedHashMap<>(); // by innermost call
        int all = 0;
        int next = 0; // after the last sample that counted
        for (Span span : sorted) {
            int end = samples.end(span.utid);
            int row = Math.max(next, samples.from(span.utid, span.startNs));
            for (; row < end && samples.ts(row) < span.endNs; row++) {
                if (samples.isRunning(row) && samples.callstack(row) >= 0) {
                    counts.merge(samples.callstack(row), 1, Integer::sum);
                    all++;
                }
            }
            next = Math.max(next, row);
        }
        List<SampledStacks.Stack> found = new ArrayList<>();
        counts.forEach((call, count) -> found.add(new SampledStacks.Stack(stack(call), count)));
        found.sort(LongOrder.descending(SampledStacks.Stack::samples));
        return new SampledStacks(all, found);
    }

    /**
     * {@return a call with its callers}
     *
     * @param innermost a row of {@link Callstacks}; -1 for no stack
     */
    public CallStack stack(int innermost) {
        return innermost < 0 ? CallStack.NONE : stacks.computeIfAbsent(innermost, this::findStack);
    }

    private CallStack findStack(int innermost) {
        List<CodeLocation> frames = new ArrayList<>();
        for (int call = innermost; call >= 0; call = calls.parent(call)) {
            frames.add(new CodeLocation(functionName(call), calls.file(call), calls.line(call)));
        }
        return new CallStack(frames);
    }

    /**
     * {@return the name of a call's function; without a symbol its library and address}
     *
     * @param call a row of {@link Callstacks}
     */
    public String functionName(int call) {
        String name = calls.name(call);
        String file = calls.file(call);
        return name.startsWith(ADDRESS) && file != null ? file.substring(file.lastIndexOf('/') + 1) + "+" + name : name;
    }
}
