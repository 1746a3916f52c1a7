package dev.unjank.workbench.bench.fleet;

import dev.unjank.workbench.bench.fleet.FleetBenchmark.Asked;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The figures of {@link FleetBenchmark} and its targets. */
final class FleetTable {
    private static final String ROW = "%-28s %9s %9s %11s %11s %9s %9s";
    private static final String TARGET = "%-46s %9s %9s   %s";
    private static final double MB = 1e6;

    /** The required number of traces per second and core, on two cores. */
    private static final double LEAST_RATE_PER_CORE = 20;

    private static final double WHOLE_BYTES = 3e6;

    static final String HEAD =
            String.format(Locale.ROOT, ROW, "", "traces", "s", "traces/s", "and core", "CPU s", "peak MB");

    private final int cores;
    private final List<String> lines = new ArrayList<>();

    FleetTable(int cores) {
        this.cores = cores;
        lines.add(String.format(Locale.ROOT, TARGET, "target", "", "measured", "met"));
    }

    static String line(String name, Asked asked, int cores) {
        double rate = asked.traces() / asked.seconds();
        return String.format(
                Locale.ROOT,
                ROW,
                name,
                String.format(Locale.ROOT, "%,d", asked.traces()),
                String.format(Locale.ROOT, "%.1f", asked.seconds()),
                String.format(Locale.ROOT, "%.1f", rate),
                String.format(Locale.ROOT, "%.1f", rate / cores),
                String.format(Locale.ROOT, "%.1f", asked.cpuSeconds()),
                String.format(Locale.ROOT, "%.0f", asked.peakBytes() / MB));
    }

    /** The time per trace without startup cost. */
    static double secondsPerTrace(Asked few, Asked many) {
        return (many.seconds() - few.seconds()) / (many.traces() - few.traces());
    }

    private static double cpuSecondsPerTrace(Asked few, Asked many) {
        return (many.cpuSeconds() - few.cpuSeconds()) / (many.traces() - few.traces());
    }

    /** The ratio of two times; NaN unless both are positive, since the ratio of two negative times would look valid. */
    private static double ratio(double seconds, double by) {
        return seconds > 0 && by > 0 ? seconds / by : Double.NaN;
    }

    void overhead(String name, double most, Asked bareFew, Asked bareMany, Asked few, Asked many) {
        atMost(name, most, ratio(secondsPerTrace(few, many), secondsPerTrace(bareFew, bareMany)));
    }

    /** Adds a target that this run cannot judge. */
    void unmeasured(String name, String limit, String how) {
        add(name, limit, "-", how);
    }

    /** Adds the targets of growth, by CPU time, which background load affects the least. */
    void growth(Asked few, Asked quarter, Asked all) {
        atMost(
                "pool, CPU per trace, later / first traces",
                1.1,
                ratio(cpuSecondsPerTrace(quarter, all), cpuSecondsPerTrace(few, quarter)));
    }

    void memory(Asked few, Asked many) {
        if (many.peakBytes() > 0) {
            atMost("pool, peak memory, all / a quarter of traces", 1.2, (double) many.peakBytes() / few.peakBytes());
        }
    }

    /** Adds the throughput target, normalized to traces of 3 MB. */
    void rate(Asked few, Asked many, double bytesPerTrace) {
        double rate = 1 / secondsPerTrace(few, many) / cores * bytesPerTrace / WHOLE_BYTES;
        judged(
                "whole traces, query, of 3 MB a second and core",
                ">= " + limit(LEAST_RATE_PER_CORE),
                rate,
                rate >= LEAST_RATE_PER_CORE);
    }

    private void atMost(String name, double most, double measured) {
        judged(name, "<= " + limit(most), measured, measured <= most);
    }

    /** Adds a result; not measured if more traces took less time, because of background load. */
    private void judged(String name, String limit, double measured, boolean isMet) {
        if (measured > 0 && Double.isFinite(measured)) {
            add(name, limit, String.format(Locale.ROOT, "%.2f", measured), isMet ? "yes" : "no");
        } else {
            unmeasured(name, limit, "with nothing else running");
        }
    }

    private void add(String name, String limit, String measured, String met) {
        lines.add(String.format(Locale.ROOT, TARGET, name, limit, measured, met));
    }

    private static String limit(double limit) {
        return String.format(Locale.ROOT, limit >= 10 ? "%.0f" : "%.1f", limit);
    }

    List<String> lines() {
        return lines;
    }
}
