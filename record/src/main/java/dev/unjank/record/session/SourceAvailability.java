package dev.unjank.record.session;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Whether a source is recorded.
 *
 * @param source what it is, in a word or two: {@code kernel scheduling}
 * @param state whether it is recorded
 * @param detail if it is on, what of it; if not, why
 * @param remedy if it is off, what to do to have it; null if nothing helps
 */
public record SourceAvailability(
        String source, State state, String detail, @Nullable String remedy) {
    /** Whether a source is recorded. */
    public enum State {
        /** It is. */
        ON,
        /** It never was. */
        OFF,
        /** It was, and ended before the recording did. */
        ENDED
    }

    /**
     * A source that is recorded.
     *
     * @param source what it is
     * @param detail what of it
     * @return the answer to a probe
     */
    public static SourceAvailability on(String source, String detail) {
        return new SourceAvailability(source, State.ON, detail, null);
    }

    /**
     * A source that is not recorded.
     *
     * @param source what it is
     * @param reason why not
     * @param remedy what to do to have it; null if nothing helps
     * @return the answer to a probe
     */
    public static SourceAvailability off(String source, String reason, @Nullable String remedy) {
        return new SourceAvailability(source, State.OFF, reason, remedy);
    }

    /**
     * A source that was recorded, but not to the end.
     *
     * @param source what it is
     * @param reason why it has ended
     * @return how it stands
     */
    public static SourceAvailability ended(String source, String reason) {
        return new SourceAvailability(source, State.ENDED, reason, null);
    }

    /**
     * Whether it is recorded.
     *
     * @return false if it is not, or no longer
     */
    public boolean isOn() {
        return state == State.ON;
    }

    /**
     * One line for people.
     *
     * @return for example {@code off  kernel scheduling: needs root; run it with sudo}
     */
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
