package dev.unjank.cli.shell;

import java.time.Duration;
import picocli.CommandLine.TypeConversionException;

/** Parser of a time limit in seconds, as given to {@code --timeout} and {@code .timeout}. */
public final class StatementTimeout {
    private static final long MAX_SECONDS = 1_000_000;

    private StatementTimeout() {}

    /** Parses a number of seconds above 0 and up to {@value #MAX_SECONDS}. */
    public static Duration parse(String seconds) {
        double value = seconds.matches("[0-9]{1,9}([.][0-9]{1,3})?") ? Double.parseDouble(seconds) : 0;
        if (value <= 0 || value > MAX_SECONDS) {
            throw new TypeConversionException(
                    "must be a number of seconds such as 10 or 0.5, more than 0 and at most " + MAX_SECONDS);
        }
        return Duration.ofMillis(Math.max(1, Math.round(value * 1_000)));
    }
}
