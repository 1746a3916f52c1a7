package dev.unjank.doctor.find.activity;

import dev.unjank.doctor.model.CpuSamples;
import dev.unjank.doctor.model.GenericTerm;
import dev.unjank.trace.model.StackSamples;
import dev.unjank.trace.model.Trace;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds the function that a thread ran by a profiler's samples. Thread-safe. */
public final class SampledFunctions {
    private final StackSamples samples;
    private final CpuSamples stacks;

    public SampledFunctions(Trace trace) {
        samples = trace.samples();
        stacks = new CpuSamples(trace);
    }

    /**
     * {@return the innermost function of a running thread in an interval; of several the one with most samples, with
     * their share; null without samples}
     */
    public @Nullable String during(int utid, long from, long to) {
        if (samples.first(utid) == samples.end(utid)) {
            return null;
        }
        Map<String, Integer> counts = new LinkedHashMap<>();
        int all = 0;
        for (int row = samples.from(utid, from); row < samples.end(utid) && samples.ts(row) < to; row++) {
            if (samples.isRunning(row) && samples.callstack(row) >= 0) {
                counts.merge(stacks.functionName(samples.callstack(row)), 1, Integer::sum);
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
        return most == null || counts.size() < 2 ? most : GenericTerm.MOST_SAMPLED.text(most, times, all);
    }
}
