package dev.unjank.trace.build;

import dev.unjank.trace.model.LongColumn;
import java.util.Arrays;

/**
 * Detects traces with an implausible duration: nearly all of their time is empty: a few damaged timestamps
 * can turn seconds into days. The correct timestamps are unknown, so no event is dropped.
 *
 * <p>It looks at a sample of the events, so its cost does not depend on the size of the trace.
 */
final class DurationCheck {
    /** With fewer events most of the time may be empty by chance. */
    private static final int LEAST_EVENTS = 1_000;

    /** One minute: shorter traces are not checked, since an error would be small. */
    private static final long LEAST_NS = 60_000_000_000L;

    private static final int SAMPLE = 2_000;
    private static final int PARTS = 1_000;

    /**
     * The number of parts that contain nearly all events of an implausible trace; real traces need eight times as
     * many.
     */
    private static final int FULL_PARTS = PARTS / 100;

    private static final double NEARLY_ALL = 0.995;

    private DurationCheck() {}

    /** Whether the duration of a trace is implausible. */
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
