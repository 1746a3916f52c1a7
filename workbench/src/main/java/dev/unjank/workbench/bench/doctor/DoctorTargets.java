package dev.unjank.workbench.bench.doctor;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** The targets of reading, diagnosis and queries, and their results: one line per target, with the worst trace. */
final class DoctorTargets {
    /** The maximum size for the targets "as recorded", which apply to traces of a few megabytes. */
    private static final long SMALL = 5_000_000;

    private static final long LARGE = 200_000_000;
    private static final String FORMAT = "%-46s %10s %9s   %-10s %s";

    private final List<String> lines = new ArrayList<>();

    private DoctorTargets() {
        lines.add(String.format(Locale.ROOT, FORMAT, "target", "", "worst", "met", "trace"));
    }

    private record Figure(String of, double value) {}

    /** The lines, beginning with the title; targets without measurements are omitted. */
    static List<String> lines(List<TraceMeasurement> measured, OptionalDouble joinSeconds) {
        DoctorTargets targets = new DoctorTargets();
        List<TraceMeasurement> small = measured.stream()
                .filter(m -> m.repeatedTo() == 0 && m.bytes() <= SMALL)
                .toList();
        List<TraceMeasurement> repeated =
                measured.stream().filter(m -> m.repeatedTo() > 0).toList();
        List<TraceMeasurement> large =
                repeated.stream().filter(m -> m.repeatedTo() == LARGE).toList();
        targets.atLeast(
                450,
                "load, MB/s, repeated",
                repeated,
                m -> m.load() == null ? null : m.load().warm() / TraceMeasurement.MB);
        targets.atMost(0.35, "doctor, s, as recorded", small, m -> m.doctor().seconds());
        targets.atMost(1.1, "doctor, s, 200 MB", large, m -> m.doctor().seconds());
        targets.atMost(5, "doctor, bytes of memory per byte", repeated, TraceMeasurement::doctorBytesPerByte);
        targets.atMost(0.4, "query, s, as recorded", small, DoctorTargets::querySeconds);
        targets.atMost(1.3, "query, s, 200 MB", large, DoctorTargets::querySeconds);
        targets.judge(true, 0.25, "span join, s, 1,000,000 by 100,000 spans", join(joinSeconds));
        targets.judge(
                true, 1.1, "load, s per MB, largest to smallest size", growth(repeated, DoctorTargets::loadSeconds));
        targets.judge(
                true,
                1.1,
                "doctor, s per MB, largest to smallest size",
                growth(repeated, m -> m.doctor().seconds()));
        return targets.lines;
    }

    private static @Nullable Double querySeconds(TraceMeasurement measured) {
        return measured.query() == null ? null : measured.query().seconds();
    }

    private static double loadSeconds(TraceMeasurement measured) {
        return measured.load() == null
                ? Double.NaN
                : measured.bytes() / measured.load().warm();
    }

    private static List<Figure> join(OptionalDouble seconds) {
        return seconds.isPresent() ? List.of(new Figure("", seconds.getAsDouble())) : List.of();
    }

    /**
     * For each trace that was repeated to several sizes, the ratio of its time per byte at the largest size to that at
     * the smallest.
     */
    private static List<Figure> growth(List<TraceMeasurement> repeated, ToDoubleFunction<TraceMeasurement> seconds) {
        List<Figure> growths = new ArrayList<>();
        for (String name :
                repeated.stream().map(TraceMeasurement::name).distinct().toList()) {
            List<TraceMeasurement> bySize = repeated.stream()
                    .filter(m -> m.name().equals(name))
                    .sorted(Comparator.comparingLong(TraceMeasurement::bytes))
                    .toList();
            TraceMeasurement smallest = bySize.getFirst();
            TraceMeasurement largest = bySize.getLast();
            if (smallest.repeatedTo() < largest.repeatedTo()) {
                double growth = seconds.applyAsDouble(largest) / seconds.applyAsDouble(smallest);
                growths.add(new Figure(name, growth * smallest.bytes() / largest.bytes()));
            }
        }
        return growths;
    }

    private void atLeast(
            double limit, String what, List<TraceMeasurement> of, Function<TraceMeasurement, @Nullable Double> figure) {
        judge(false, limit, what, figures(of, figure));
    }

    private void atMost(
            double limit, String what, List<TraceMeasurement> of, Function<TraceMeasurement, @Nullable Double> figure) {
        judge(true, limit, what, figures(of, figure));
    }

    private static List<Figure> figures(
            List<TraceMeasurement> of, Function<TraceMeasurement, @Nullable Double> figure) {
        List<Figure> figures = new ArrayList<>();
        for (TraceMeasurement measured : of) {
            Double value = figure.apply(measured);
            if (value != null) {
                figures.add(new Figure(measured.name(), value));
            }
        }
        return figures;
    }

    private void judge(boolean atMost, double limit, String what, List<Figure> figures) {
        if (figures.isEmpty()) {
            return;
        }
        Comparator<Figure> byValue = Comparator.comparingDouble(Figure::value);
        Figure worst =
                figures.stream().max(atMost ? byValue : byValue.reversed()).orElseThrow();
        long met = figures.stream()
                .filter(figure -> atMost ? figure.value <= limit : figure.value >= limit)
                .count();
        String share = met + " of " + figures.size();
        lines.add(String.format(
                        Locale.ROOT,
                        FORMAT,
                        what,
                        (atMost ? "<= " : ">= ") + number(limit),
                        number(worst.value),
                        met == figures.size() ? "yes" : "no: " + share,
                        worst.of)
                .stripTrailing());
    }

    private static String number(double value) {
        return value == Math.rint(value) || value >= 100
                ? String.format(Locale.ROOT, "%.0f", value)
                : String.format(Locale.ROOT, "%.2f", value);
    }
}
