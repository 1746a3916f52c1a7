package dev.unjank.workbench.bench.doctor;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The figures of one trace at one size.
 *
 * @param repeatedTo how large it was made by repetition, 0 if it is as recorded
 * @param load into the model; null for a trace that is too small for a speed
 * @param query the command's run, null if there is no query
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
     * Speeds of loading.
     *
     * @param warm in bytes a second, of a warm Java VM
     * @param cold of the first load in a new one
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

    /** The most memory that the doctor had, by the trace's size. */
    double doctorBytesPerByte() {
        return (double) doctor.peakBytes() / bytes;
    }

    /** A line under {@link #HEAD}. */
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
