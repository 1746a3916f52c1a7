package dev.unjank.cli.command;

import dev.unjank.cli.terminal.InterruptionHandler;
import dev.unjank.cli.terminal.Terminal;
import dev.unjank.record.session.Recording;
import dev.unjank.record.session.SourceAvailability;
import java.util.Locale;

/**
 * The wait for the end of a recording, with a progress line.
 *
 * @param nanos the longest duration; {@link Long#MAX_VALUE} without a limit
 */
record RecordingWait(Terminal terminal, RecordingTarget target, InterruptionHandler interruption, long nanos) {
    private static final long LOOK_EVERY_MILLIS = 100;

    /** Whether all data sources have ended. */
    static boolean isOver(Recording recording) {
        return recording.availability().stream().noneMatch(SourceAvailability::isOn);
    }

    /** Waits, and returns the reason of the end. {@code sources} prints the states of sources that have changed. */
    String await(Recording recording, SourceStatusLines sources) {
        long start = System.nanoTime();
        String why = "";
        while (why.isEmpty()) {
            long elapsed = System.nanoTime() - start;
            terminal.progress("");
            sources.print(recording.availability());
            terminal.progress("recording, " + figures(recording.progress())
                    + (nanos == Long.MAX_VALUE ? "; Ctrl-C ends it" : ""));
            if (recording.failure() != null) {
                why = "writing failed";
            } else if (!target.isAlive()) {
                why = "the process has ended";
            } else if (isOver(recording)) {
                why = "all data sources have ended";
            } else if (elapsed >= nanos) {
                why = "the duration has elapsed";
            } else if (interruption.await(Math.min(LOOK_EVERY_MILLIS, (nanos - elapsed) / 1_000_000 + 1))) {
                why = "interrupted";
            }
        }
        terminal.progress("");
        return why;
    }

    /** Size, duration, events, lost events, and events dropped by the ring. */
    static String figures(Recording.Progress progress) {
        return String.format(
                        Locale.ROOT,
                        "%.1f MB, %.1f s, %,d events, %s lost",
                        progress.bytes() / 1e6,
                        progress.time().toNanos() / 1e9,
                        progress.events(),
                        number(progress.lost()))
                + (progress.dropped() == 0 ? "" : ", " + number(progress.dropped()) + " older ones dropped");
    }

    private static String number(long count) {
        return count == 0 ? "none" : String.format(Locale.ROOT, "%,d", count);
    }
}
