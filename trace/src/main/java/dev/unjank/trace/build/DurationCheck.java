package dev.unjank.trace.build;

import dev.unjank.trace.model.LongColumn;
import java.util.Arrays;

/**
 * Doubts the length of a trace in which next to nothing happens for nearly all of its time: a few damaged times are enough to make
 * seconds days. Nobody can tell which times are right, so nothing is left out.
 *
 * <p>A sample decides, so that this costs the same however large the trace is.
 */
final class DurationCheck {
    /** What is said of such a trace. */
    static final String WARNING =
            "the length of the trace is doubtful: nearly all of its events lie in a hundredth of it, as where"
                    + " damage has changed the times of a few; what lasts longer than the rest, and sums and shares of the whole, may"
                    + " be wrong";

    /** Fewer may leave most of their time empty by chance. */
    private static final int LEAST_EVENTS = 1_000;

    /** Nothing that was told wrongly of a shorter one would mislead anybody for long: a minute. */
    private static final long LEAST_NS = 60_000_000_000L;

    private static final int SAMPLE = 2_000;
    private static final int PARTS = 1_000;

    /** In how many of the parts nearly all events lie; of real traces, those with least to tell among them, it takes eight times as many. */
    private static final int FULL_PARTS = PARTS / 100;

    private static final double NEARLY_ALL = 0.995;

    private DurationCheck() {}

    /** Whether a trace is hardly as long as it seems. */
    static boolean isImplausible(long startNs, long endNs, LongColumn... times) {
        long events = 0;
        for (LongColumn column : times) {
            events += column.size();
        }
        if (events < LEAST_EVENTS || endNs - startNs < LEAST_NS) {
            return false;
        }
        int step = (int) Math.max(1, events / SAMPLE);
        double partsPerNs = PARTS / (double) (endNs - startNs);
        int[] counts = new int[PARTS];
        int sampled = 0;
        for (LongColumn column : times) {
            for (long row = step / 2; row < column.size(); row += step) {
                int part = (int) ((column.get((int) row) - startNs) * partsPerNs);
                counts[Math.clamp(part, 0, PARTS - 1)]++;
                sampled++;
            }
        }
        Arrays.sort(counts);
        int inFullParts = 0;
        for (int part = PARTS - FULL_PARTS; part < PARTS; part++) {
            inFullParts += counts[part];
        }
        return inFullParts >= NEARLY_ALL * sampled;
    }
}
