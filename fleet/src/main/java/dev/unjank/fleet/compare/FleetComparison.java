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
 * The comparison of two fleets, before and after a change: lock wait time of main threads, share of missed frames, and
 * startup time, each with a confidence interval.
 *
 * @param figures the figures, in that order
 */
public record FleetComparison(List<Figure> figures) {
    /** The minimum number of traces per side. */
    static final int LEAST_TRACES = 5;

    private static final double P95 = 0.95;
    private static final int PER_CENT = 100;

    /**
     * One figure of both fleets.
     *
     * @param before the value of the first fleet; NaN if it has none
     * @param tracesBefore the number of traces of the first fleet from which {@code before} is computed
     * @param change the change from the first to the second; null if unknown
     */
    public record Figure(
            String name,
            String unit,
            double before,
            double after,
            int tracesBefore,
            int tracesAfter,
            @Nullable RelativeChange change) {

        /** {@return whether the change is significant} */
        public boolean isEvidence() {
            return change != null && change.isEvidence();
        }

        /** {@return the change in percent with its interval, or the reason why there is no evidence} */
        public String verdict() {
            RelativeChange its = change;
            if (its == null) {
                return tracesBefore < LEAST_TRACES || tracesAfter < LEAST_TRACES
                        ? "no evidence: too few traces"
                        : "no evidence: the baseline is 0";
            }
            String interval = percent(its.value()) + " % (" + percent(its.low()) + " to " + percent(its.high()) + ")";
            return its.isEvidence() ? interval : "no evidence: " + interval;
        }

        private static String percent(double share) {
            return Double.isInfinite(share) ? "+\u221e" : String.format(Locale.ROOT, "%+,.1f", share * PER_CENT);
        }
    }

    /** Compares two fleets. */
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
                figure("startup to first frame, p95", "ms", starts(before), starts(after))));
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

    /** The ratio of two sums over all traces whose {@code whole} is not 0. */
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

    /** An app startup. */
    private record Start(int trace, double millis) {}

    /** The 95th percentile of the startup times. */
    private static Sample starts(FleetDatabase store) throws IOException {
        Map<String, Integer> traces = new HashMap<>();
        List<Start> longestFirst = new ArrayList<>();
        store.each(
                "SELECT trace, dur / 1e6 FROM (" + FleetDatabase.APP_STARTUPS + ") ORDER BY dur DESC, trace",
                row -> longestFirst.add(
                        new Start(traces.computeIfAbsent(String.valueOf(row[0]), _ -> traces.size()), number(row[1]))));
        return new Sample(traces.size(), weights -> quantile(longestFirst, weights, P95));
    }

    /** The startup time at this quantile, which is an actual value. */
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
