package dev.unjank.cli.command;

import dev.unjank.cli.terminal.InterruptionHandler;
import dev.unjank.cli.terminal.Terminal;
import dev.unjank.fleet.input.Inputs;
import dev.unjank.fleet.run.LocalRun;
import dev.unjank.fleet.run.RunTotals;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;

/**
 * A progress line on standard error: finished traces, traces per second, remaining time. Not printed without a
 * terminal.
 */
final class FleetProgressLine implements LocalRun.Watcher, AutoCloseable {
    private static final long DELAY_NANOS = Duration.ofSeconds(1).toNanos();
    private static final long REFRESH_NANOS = Duration.ofMillis(250).toNanos();
    private static final long SECONDS_PER_MINUTE = 60;

    private final Terminal terminal;
    private final long total;
    private final InterruptionHandler interruption;
    private final long start = System.nanoTime();
    private long next = start + DELAY_NANOS;
    private boolean isShown;

    private FleetProgressLine(Terminal terminal, long total, InterruptionHandler interruption) {
        this.terminal = terminal;
        this.total = total;
        this.interruption = interruption;
    }

    /** Shows the line. On a terminal the inputs are counted first. An interrupt stops the run. */
    static FleetProgressLine show(Terminal terminal, Inputs inputs, InterruptionHandler interruption)
            throws IOException {
        return new FleetProgressLine(terminal, terminal.showsProgress() ? inputs.count() : -1, interruption);
    }

    @Override
    public boolean isStopWanted() {
        return interruption.isWanted();
    }

    @Override
    public void done(RunTotals tally) {
        long now = System.nanoTime();
        if (terminal.showsProgress() && now >= next) {
            terminal.progress(line(tally, (now - start) / 1e9, total));
            isShown = true;
            next = now + REFRESH_NANOS;
        }
    }

    /** The text of the line after the given time; {@code total} is the number of traces, -1 if unknown. */
    static String line(RunTotals tally, double seconds, long total) {
        double rate = tally.traces() / seconds;
        String of = total < 0 ? "" : String.format(Locale.ROOT, " of %,d", total);
        String line = String.format(
                Locale.ROOT,
                "%,d%s traces, %.1f/s, %,d failed",
                tally.traces() + tally.before(),
                of,
                rate,
                tally.failures());
        long left = total - tally.traces() - tally.skipped() - tally.before();
        return left > 0 && tally.traces() > 0 ? line + ", " + duration(Math.round(left / rate)) + " left" : line;
    }

    private static String duration(long seconds) {
        return seconds < SECONDS_PER_MINUTE
                ? seconds + " s"
                : seconds < SECONDS_PER_MINUTE * SECONDS_PER_MINUTE
                        ? seconds / SECONDS_PER_MINUTE + " min"
                        : String.format(
                                Locale.ROOT,
                                "%d h %02d min",
                                seconds / SECONDS_PER_MINUTE / SECONDS_PER_MINUTE,
                                seconds / SECONDS_PER_MINUTE % SECONDS_PER_MINUTE);
    }

    @Override
    public void close() {
        if (isShown) {
            terminal.progress("");
        }
    }
}
