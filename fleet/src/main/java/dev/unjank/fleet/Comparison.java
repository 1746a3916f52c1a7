package dev.unjank.fleet;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Two fleets side by side, before and after a change: how much of their time main threads waited for locks, which share of the frames
 * was missed, and how long starts took. A change counts as shown only if it is larger than chance makes it.
 *
 * @param figures in that order
 */
public record Comparison(List<Figure> figures) {
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
            @Nullable Change change) {

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
            Change its = change;
            if (its == null) {
                return tracesBefore < LEAST_TRACES || tracesAfter < LEAST_TRACES
                        ? "no evidence: too few traces"
                        : "no evidence: nothing of it before";
            }
            String interval = String.format(
                    Locale.ROOT,
                    "%+.1f %% (%+.1f to %+.1f)",
                    its.value() * PER_CENT,
                    its.low() * PER_CENT,
                    its.high() * PER_CENT);
            return its.isEvidence() ? interval : "no evidence: " + interval;
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
    public static Comparison of(FleetStore before, FleetStore after) throws IOException {
        before.requireDoctor();
        after.requireDoctor();
        Side a = Side.of(before);
        Side b = Side.of(after);
        return new Comparison(List.of(
                figure(
                        "main threads waiting for locks",
                        "ms/s",
                        side -> new Measure(side.lockNs.length, side.ratio(side.lockNs, side.durNs, 1_000)),
                        a,
                        b),
                figure(
                        "frames missed",
                        "%",
                        side -> new Measure(side.tracesWithFrames(), side.ratio(side.missed, side.frames, PER_CENT)),
                        a,
                        b),
                figure(
                        "start to first frame, p95",
                        "ms",
                        side -> new Measure(side.tracesWithStarts, weights -> side.startQuantile(weights, P95)),
                        a,
                        b)));
    }

    /** How a figure comes of traces, each of which counts so many times. */
    private record Measure(int traces, ToDoubleFunction<int[]> figure) {}

    private interface Measuring {
        Measure of(Side side);
    }

    private static Figure figure(String name, String unit, Measuring measuring, Side a, Side b) {
        Measure before = measuring.of(a);
        Measure after = measuring.of(b);
        double was = before.figure.applyAsDouble(ones(a.size()));
        double is = after.figure.applyAsDouble(ones(b.size()));
        boolean comparable =
                before.traces >= LEAST_TRACES && after.traces >= LEAST_TRACES && was > 0 && !Double.isNaN(is);
        Change change = comparable ? Bootstrap.change(a.size(), before.figure, b.size(), after.figure) : null;
        return new Figure(name, unit, was, is, before.traces, after.traces, change);
    }

    private static int[] ones(int size) {
        int[] ones = new int[size];
        Arrays.fill(ones, 1);
        return ones;
    }

    /** A start of an app. */
    private record Start(int trace, double millis) {}

    /** What one fleet measured, by trace. */
    private static final class Side {
        private final double[] durNs;
        private final double[] lockNs;
        private final double[] frames;
        private final double[] missed;
        private final List<Start> longestFirst = new ArrayList<>();
        private int tracesWithStarts;

        private Side(int size) {
            durNs = new double[size];
            lockNs = new double[size];
            frames = new double[size];
            missed = new double[size];
        }

        static Side of(FleetStore store) throws IOException {
            List<@Nullable Object[]> rows =
                    store.all("SELECT trace, dur, lock_wait_dur, frame_count, missed_frame_count"
                            + " FROM summaries ORDER BY trace");
            Side side = new Side(rows.size());
            Map<String, Integer> numbers = new HashMap<>();
            for (int i = 0; i < rows.size(); i++) {
                @Nullable Object[] row = rows.get(i);
                numbers.put(String.valueOf(row[0]), i);
                side.durNs[i] = number(row[1]);
                side.lockNs[i] = number(row[2]);
                side.frames[i] = number(row[3]);
                side.missed[i] = number(row[4]);
            }
            boolean[] hasStart = new boolean[rows.size()];
            store.each(
                    "SELECT trace, (max(first_frame_ts) - max(ts)) / 1e6 FROM start_ups WHERE first_frame_ts > ts"
                            + " GROUP BY trace, id ORDER BY trace, id",
                    row -> {
                        int trace = numbers.getOrDefault(String.valueOf(row[0]), -1);
                        if (trace >= 0) {
                            side.longestFirst.add(new Start(trace, number(row[1])));
                            hasStart[trace] = true;
                        }
                    });
            side.longestFirst.sort(Comparator.comparingDouble(Start::millis).reversed());
            for (boolean has : hasStart) {
                side.tracesWithStarts += has ? 1 : 0;
            }
            return side;
        }

        private static double number(@Nullable Object value) {
            return value instanceof Number number ? number.doubleValue() : 0;
        }

        int size() {
            return durNs.length;
        }

        int tracesWithFrames() {
            return (int) Arrays.stream(frames).filter(count -> count > 0).count();
        }

        ToDoubleFunction<int[]> ratio(double[] part, double[] whole, double unit) {
            return weights -> {
                double parts = 0;
                double wholes = 0;
                for (int i = 0; i < weights.length; i++) {
                    parts += weights[i] * part[i];
                    wholes += weights[i] * whole[i];
                }
                return unit * parts / wholes;
            };
        }

        /** The least time that so many of the starts do not exceed. */
        double startQuantile(int[] weights, double share) {
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
    }
}
