package dev.unjank.doctor.find.activity;

import dev.unjank.trace.model.Callstacks;
import dev.unjank.trace.model.StackSamples;
import dev.unjank.trace.model.Trace;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Says by a profiler's samples in which function a thread was while it ran. For any number of threads. */
public final class SampledFunctions {
    /** A function without a name is an address in a file. */
    private static final String ADDRESS = "0x";

    private final StackSamples samples;
    private final Callstacks calls;

    /**
     * Gets ready to tell.
     *
     * @param trace has the samples
     */
    public SampledFunctions(Trace trace) {
        samples = trace.samples();
        calls = trace.callstacks();
    }

    /**
     * {@return the innermost function in which samples found a thread at work in an interval; of several the one in which most of them
     * did, with its share; null if no sample tells}
     *
     * @param utid the thread
     * @param from when the interval begins, on the trace's clock
     * @param to when it ends
     */
    public @Nullable String amid(int utid, long from, long to) {
        if (samples.first(utid) == samples.end(utid)) {
            return null;
        }
        Map<String, Integer> counts = new LinkedHashMap<>();
        int all = 0;
        for (int row = samples.from(utid, from); row < samples.end(utid) && samples.ts(row) < to; row++) {
            if (samples.isRunning(row) && samples.callstack(row) >= 0) {
                counts.merge(name(samples.callstack(row)), 1, Integer::sum);
                all++;
            }
        }
        String most = null;
        int times = 0;
        for (Map.Entry<String, Integer> function : counts.entrySet()) {
            if (function.getValue() > times) {
                most = function.getKey();
                times = function.getValue();
            }
        }
        return counts.size() < 2 ? most : most + " (" + times + " of " + all + " samples)";
    }

    private String name(int call) {
        String name = calls.name(call);
        String file = calls.file(call);
        return name.startsWith(ADDRESS) && file != null ? file.substring(file.lastIndexOf('/') + 1) + "+" + name : name;
    }
}
