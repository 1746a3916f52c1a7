package dev.unjank.looper.util;

import java.util.Locale;

/** Formats durations for people. */
public final class Durations {
    private static final String[] UNITS = {"ns", "us", "ms"};

    private Durations() {}

    /** Returns about three digits and a unit. */
    public static String text(long nanos) {
        double value = nanos;
        for (String unit : UNITS) {
            if (value < 1000) {
                return number(value) + " " + unit;
            }
            value /= 1000;
        }
        return number(value) + " s";
    }

    private static String number(double value) {
        return value == Math.rint(value) || value >= 100
                ? Long.toString(Math.round(value))
                : String.format(Locale.ROOT, value < 10 ? "%.2f" : "%.1f", value);
    }
}
