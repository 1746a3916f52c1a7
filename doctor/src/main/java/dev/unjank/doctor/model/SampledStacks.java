package dev.unjank.doctor.model;

import dev.unjank.trace.collections.LongOrder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The stacks of running threads at the samples of a profiler.
 *
 * @param samples the number of samples
 * @param stacks the stacks, most samples first; their samples add up to {@code samples}
 */
public record SampledStacks(int samples, List<Stack> stacks) {
    /** The number of samples from which on shares of methods are worth a look: with fewer, 10 % is one sample. */
    public static final int MIN_SAMPLES = 10;

    /** No samples. */
    public static final SampledStacks NONE = new SampledStacks(0, List.of());

    /** Copies the list. */
    public SampledStacks {
        stacks = List.copyOf(stacks);
    }

    /**
     * The samples with one stack.
     *
     * @param stack the stack
     * @param samples their number
     */
    public record Stack(CallStack stack, int samples) {}

    /**
     * The samples with one method on the stack.
     *
     * @param method the method
     * @param self the number of samples with it as the innermost call
     * @param total the number of samples with it anywhere on the stack
     */
    public record Method(String method, int self, int total) {}

    /** {@return whether there are too few samples for shares of methods} */
    public boolean isTooFew() {
        return samples < MIN_SAMPLES;
    }

    /** {@return the methods that ran, the one with most samples of its own first} */
    public List<Method> methods() {
        Map<String, int[]> counts = new LinkedHashMap<>(); // self, total
        for (Stack stack : stacks) {
            Set<String> seen = new HashSet<>();
            for (CodeLocation frame : stack.stack().frames()) {
                int[] count = counts.computeIfAbsent(frame.method(), _ -> new int[2]);
                count[0] += seen.isEmpty() ? stack.samples() : 0;
                count[1] += seen.add(frame.method()) ? stack.samples() : 0;
            }
        }
        List<Method> methods = new ArrayList<>();
        counts.forEach((method, count) -> methods.add(new Method(method, count[0], count[1])));
        methods.sort(Comparator.comparingInt(Method::self)
                .thenComparingInt(Method::total)
                .reversed());
        return methods;
    }

    /** {@return the number of samples by folded stack: methods from the outermost in, with semicolons between them} */
    public Map<String, Integer> folded() {
        Map<String, Integer> folded = new LinkedHashMap<>();
        for (Stack stack : stacks) {
            StringBuilder line = new StringBuilder();
            for (CodeLocation frame : stack.stack().frames().reversed()) {
                line.append(line.isEmpty() ? "" : ";").append(frame.method().replace(';', ','));
            }
            folded.merge(line.toString(), stack.samples(), Integer::sum);
        }
        List<Map.Entry<String, Integer>> sorted = new ArrayList<>(folded.entrySet());
        sorted.sort(LongOrder.descending(Map.Entry::getValue));
        Map<String, Integer> result = new LinkedHashMap<>();
        sorted.forEach(entry -> result.put(entry.getKey(), entry.getValue()));
        return result;
    }
}
