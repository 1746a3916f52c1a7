package dev.unjank.workbench.lab.run;

import java.util.HashMap;
import java.util.Map;

/** The figures of a program, by name. Times are in nanoseconds. */
public record Measurements(Map<String, Double> values) {
    public Measurements {
        values = Map.copyOf(values);
    }

    /** Parses {@code name=value name=value}. */
    static Measurements parse(String text) {
        Map<String, Double> values = new HashMap<>();
        for (String figure : text.trim().split(" +", -1)) {
            int sign = figure.indexOf('=');
            if (sign > 0) {
                values.put(figure.substring(0, sign), Double.valueOf(figure.substring(sign + 1)));
            }
        }
        return new Measurements(values);
    }

    public double get(String name) {
        Double value = values.get(name);
        if (value == null) {
            throw new IllegalArgumentException("no figure " + name + " among " + values.keySet());
        }
        return value;
    }

    /** A figure that is a count. */
    public long count(String name) {
        return Math.round(get(name));
    }
}
