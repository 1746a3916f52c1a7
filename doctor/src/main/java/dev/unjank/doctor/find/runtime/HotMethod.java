package dev.unjank.doctor.find.runtime;

import dev.unjank.doctor.find.code.CodeSiteFinder;
import dev.unjank.doctor.model.CodeLocation;
import dev.unjank.doctor.model.SampledStacks;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The method of the program that samples point to: the innermost one that is on at least half of the stacks. A listener
 * that only calls it is on as many, but further out.
 */
public final class HotMethod {
    private HotMethod() {}

    /**
     * Samples of a method, the sum of its distances from the outermost frame, and its frames with the samples in each.
     */
    private static final class Total {
        private long samples;
        private long depths;
        private final Map<CodeLocation, Integer> frames = new LinkedHashMap<>();

        double depth() {
            return (double) depths / samples;
        }

        CodeLocation mostSampled() {
            CodeLocation most = null;
            int samplesOfMost = 0;
            for (Map.Entry<CodeLocation, Integer> frame : frames.entrySet()) {
                if (frame.getValue() > samplesOfMost) {
                    most = frame.getKey();
                    samplesOfMost = frame.getValue();
                }
            }
            return Objects.requireNonNull(most);
        }
    }

    /** {@return the method, with its line that most samples have; null without samples of the program} */
    public static @Nullable CodeLocation of(SampledStacks samples, CodeSiteFinder sites) {
        Map<String, Total> totals = new LinkedHashMap<>();
        for (SampledStacks.Stack stack : samples.stacks()) {
            add(stack, sites, totals);
        }
        return totals.values().stream()
                .filter(total -> 2 * total.samples >= samples.samples())
                .max((a, b) -> Double.compare(a.depth(), b.depth()))
                .map(Total::mostSampled)
                .orElse(null);
    }

    private static void add(SampledStacks.Stack stack, CodeSiteFinder sites, Map<String, Total> totals) {
        List<CodeLocation> frames = stack.stack().frames();
        Set<String> seen = new HashSet<>(); // recursion counts once, with its innermost frame
        for (int i = 0; i < frames.size(); i++) {
            CodeLocation frame = frames.get(i);
            if (sites.isApplication(frame) && !LongHandlers.isOfLambdaClass(frame) && seen.add(frame.method())) {
                Total total = totals.computeIfAbsent(frame.method(), _ -> new Total());
                total.samples += stack.samples();
                total.depths += (long) stack.samples() * (frames.size() - i);
                total.frames.merge(frame, stack.samples(), Integer::sum);
            }
        }
    }
}
