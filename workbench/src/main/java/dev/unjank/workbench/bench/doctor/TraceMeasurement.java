package dev.unjank.workbench.bench.doctor;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The figures of one trace at one size.
 *
 * @param repeatedTo the size after repetition, 0 if unchanged
 * @param load the loading speeds; null if the trace is too small
 * @param query the run of the query; null if queries are skipped
 */
record TraceMeasurement(
        String name,
        long bytes,
        long repeatedTo,
        @Nullable Load load,
        TimedProcess doctor,
        @Nullable TimedProcess query) {
    static final double MB = 1e6;

    /**
     * The loading speeds.
     *
     * @param warm in bytes per second, in a warm JVM
     * @param cold in bytes per second, the first load in a new JVM
     */
    record Load(double warm, double cold) {}

    static final String HEAD = String.format(
            Locale.ROOT,
            "%-46s %7s %10s %10s %9s %8s %8s %8s %8s",
            "trace",
            "MB",
            "load MB/s",
            "cold MB/s",
            "doctor s",
            "MB",
            "per byte",
            "query s",
            "MB");

    /** The doctor's peak memory divided by the trace's size. */
    double doctorBytesPerByte() {
        return (double) doctor.peakBytes() / bytes;
    }

    /** The table row for {@link #HEAD}. */
    String line() {
        StringBuilder line = new StringBuilder(
                String.format(Locale.ROOT, "%-46s %7.1f", name + (repeatedTo > 0 ? ", repeated" : ""), bytes / MB));
        line.append(
                load == null
                        ? " ".repeat(22)
                        : String.format(Locale.ROOT, " %10.0f %10.0f", load.warm / MB, load.cold / MB));
        line.append(String.format(
                Locale.ROOT, " %9.2f %8.0f %8.1f", doctor.seconds(), doctor.peakBytes() / MB, doctorBytesPerByte()));
        if (query != null) {
            line.append(String.format(Locale.ROOT, " %8.2f %8.0f", query.seconds(), query.peakBytes() / MB));
        }
        return line.toString();
    }
}
