package dev.unjank.fleet.compare;

import dev.unjank.fleet.compare.BootstrapInterval.Sample;
import dev.unjank.fleet.folder.FleetDatabase;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Two fleets side by side, before and after a change: how much of their time main threads waited for locks, which share of the frames
 * was missed, and how long starts took. A change counts as shown only if it is larger than chance makes it.
 *
 * @param figures in that order
 */
public record FleetComparison(List<Figure> figures) {
    /** With fewer traces on a side nothing is claimed, whatever they say. */
    static final int LEAST_TRACES = 5;

    private static final double P95 = 0.95;
    private static final int PER_CENT = 100;

    /**
     * One figure of both.
     *
     * @param name what it is
     * @param unit what it is counted in
     * @param before of the first fleet; NaN if it has none
     * @param after of the second
     * @param tracesBefore how many traces the first figure is from
     * @param tracesAfter how many the second
     * @param change from the first to the second, null if there can be none
     */
    public record Figure(
            String name,
            String unit,
            double before,
            double after,
            int tracesBefore,
            int tracesAfter,
            @Nullable RelativeChange change) {

        /**
         * {@return whether there is a change that chance does not explain}
         */
        public boolean isEvidence() {
            return change != null && change.isEvidence();
        }

        /**
         * {@return the change in percent with its interval, or that there is none to be seen and why}
         */
        public String verdict() {
            RelativeChange its = change;
            if (its == null) {
                return tracesBefore < LEAST_TRACES || tracesAfter < LEAST_TRACES
                        ? "no evidence: too few traces"
                        : "no evidence: nothing of it before";
            }
            String interval = percent(its.value()) + " % (" + percent(its.low()) + " to " + percent(its.high()) + ")";
            return its.isEvidence() ? interval : "no evidence: " + interval;
        }

        private static String percent(double share) {
            return Double.isInfinite(share) ? "+\u221e" : String.format(Locale.ROOT, "%+,.1f", share * PER_CENT);
        }
    }

    /**
     * Compares two runs.
     *
     * @param before the first
     * @param after the second
     * @return their figures
     * @throws IOException if they cannot be read
     */
    public static FleetComparison of(FleetDatabase before, FleetDatabase after) throws IOException {
        before.requireDoctor();
        after.requireDoctor();
        return new FleetComparison(List.of(
                figure(
                        "main threads waiting for locks",
                        "ms/s",
                        ratio(before, "lock_wait_dur", "dur", 1_000),
                        ratio(after, "lock_wait_dur", "dur", 1_000)),
                figure(
                        "frames missed",
                        "%",
                        ratio(before, "missed_frame_count", "frame_count", PER_CENT),
                        ratio(after, "missed_frame_count", "frame_count", PER_CENT)),
                figure("start to first frame, p95", "ms", starts(before), starts(after))));
    }

    private static Figure figure(String name, String unit, Sample before, Sample after) {
        double was = before.value();
        double is = after.value();
        boolean comparable = before.size() >= LEAST_TRACES && after.size() >= LEAST_TRACES && was > 0;
        return new Figure(
                name,
                unit,
                was,
                is,
                before.size(),
                after.size(),
                comparable ? BootstrapInterval.change(before, after) : null);
    }

    /** What all traces have of something, by the whole of it; of those that have any of the whole. */
    private static Sample ratio(FleetDatabase store, String part, String whole, double unit) throws IOException {
        List<@Nullable Object[]> rows =
                store.all("SELECT " + part + ", " + whole + " FROM summaries WHERE " + whole + " > 0 ORDER BY trace");
        double[] parts = rows.stream().mapToDouble(row -> number(row[0])).toArray();
        double[] wholes = rows.stream().mapToDouble(row -> number(row[1])).toArray();
        return new Sample(parts.length, weights -> unit * sum(weights, parts) / sum(weights, wholes));
    }

    private static double sum(int[] weights, double[] values) {
        double sum = 0;
        for (int i = 0; i < weights.length; i++) {
            sum += weights[i] * values[i];
        }
        return sum;
    }

    /** A start of an app. */
    private record Start(int trace, double millis) {}

    /** Of traces with a start the time that 95 % of the starts do not exceed. */
    private static Sample starts(FleetDatabase store) throws IOException {
        Map<String, Integer> traces = new HashMap<>();
        List<Start> longestFirst = new ArrayList<>();
        store.each(
                "SELECT trace, dur / 1e6 FROM (" + FleetDatabase.APP_STARTUPS + ") ORDER BY dur DESC, trace",
                row -> longestFirst.add(
                        new Start(traces.computeIfAbsent(String.valueOf(row[0]), _ -> traces.size()), number(row[1]))));
        return new Sample(traces.size(), weights -> quantile(longestFirst, weights, P95));
    }

    /** The least time that so many of the starts do not exceed, which is a start's. */
    private static double quantile(List<Start> longestFirst, int[] weights, double share) {
        long all = 0;
        for (Start start : longestFirst) {
            all += weights[start.trace];
        }
        long above = all - (long) Math.ceil(share * all);
        long passed = 0;
        for (Start start : longestFirst) {
            passed += weights[start.trace];
            if (passed > above) {
                return start.millis;
            }
        }
        return Double.NaN;
    }

    private static double number(@Nullable Object value) {
        return value instanceof Number number ? number.doubleValue() : 0;
    }
}
