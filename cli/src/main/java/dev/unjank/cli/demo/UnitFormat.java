package dev.unjank.cli.demo;

import java.util.Locale;

/** Formats durations and percentages. */
final class UnitFormat {

    private UnitFormat() {}

    /** A duration with three significant digits and its unit, such as {@code 12.3 µs} or {@code 1.93 s}. */
    static String duration(long nanos) {
        if (nanos < 1_000) {
            return nanos + " ns";
        }
        double value = nanos / 1e3;
        for (String unit : new String[] {"µs", "ms"}) {
            if (value < 999.5) {
                return threeDigits(value) + " " + unit;
            }
            value /= 1e3;
        }
        return threeDigits(value) + " s";
    }

    /** A percentage. Near 0 and 100 it has a decimal, so that 99.8 % is not shown as all and 0.2 % not as none. */
    static String percent(double share) {
        double percent = share * 100;
        if (percent > 0 && percent < 0.1) {
            return "< 0.1 %";
        }
        if (percent > 99.9 && percent < 100) {
            return "> 99.9 %";
        }
        boolean nearAnEnd = (percent > 0 && percent < 9.95) || (percent > 99 && percent < 100);
        return String.format(Locale.ROOT, nearAnEnd ? "%.1f %%" : "%.0f %%", percent);
    }

    private static String threeDigits(double value) {
        String format = value < 9.995 ? "%.2f" : value < 99.95 ? "%.1f" : "%.0f";
        return String.format(Locale.ROOT, format, value);
    }
}
