package dev.unjank.record.session;

import dev.unjank.trace.text.TerminalText;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The availability of a source in a recording.
 *
 * @param source its name, such as {@code kernel scheduling}
 * @param detail if it is on, the recorded events; otherwise the reason
 * @param remedy if it is off, how to enable it; null if that is impossible
 */
public record SourceAvailability(
        String source, State state, String detail, @Nullable String remedy) {
    /** Keeps the beginning of a very long detail, which a target may have sent. */
    public SourceAvailability {
        detail = TerminalText.start(detail);
    }

    /** The state of a source. */
    public enum State {
        /** The source is recorded. */
        ON,
        /** The source is not available. */
        OFF,
        /** The source ended before the recording. */
        ENDED
    }

    /** A source that is recorded. */
    public static SourceAvailability on(String source, String detail) {
        return new SourceAvailability(source, State.ON, detail, null);
    }

    /** A source that is not recorded; {@code remedy} is how to enable it, null if that is impossible. */
    public static SourceAvailability off(String source, String reason, @Nullable String remedy) {
        return new SourceAvailability(source, State.OFF, reason, remedy);
    }

    /** A source that ended before the recording. */
    public static SourceAvailability ended(String source, String reason) {
        return new SourceAvailability(source, State.ENDED, reason, null);
    }

    /** Whether the source is still being recorded. */
    public boolean isOn() {
        return state == State.ON;
    }

    /** A line for users, such as {@code off  kernel scheduling: needs root; run it with sudo}. */
    @Override
    public String toString() {
        String line = switch (state) {
            case ON -> "on   " + source + ": " + detail;
            case OFF -> "off  " + source + ": " + detail;
            case ENDED -> "off  " + source + " ended: " + detail;
        };
        return remedy == null ? line : line + "; " + Objects.requireNonNull(remedy);
    }
}
