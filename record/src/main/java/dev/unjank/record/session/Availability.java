package dev.unjank.record.session;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Whether a source can be recorded.
 *
 * @param source what it is, in a word or two: {@code kernel scheduling}
 * @param isOn whether it is recorded
 * @param detail if it is on, what of it; if not, why
 * @param remedy if it is off, what to do to have it; null if nothing helps
 */
public record Availability(
        String source,
        boolean isOn,
        String detail,
        @Nullable String remedy) {
    /**
     * A source that is recorded.
     *
     * @param source what it is
     * @param detail what of it
     * @return the answer to a probe
     */
    public static Availability on(String source, String detail) {
        return new Availability(source, true, detail, null);
    }

    /**
     * A source that is not recorded.
     *
     * @param source what it is
     * @param reason why not
     * @param remedy what to do to have it; null if nothing helps
     * @return the answer to a probe
     */
    public static Availability off(String source, String reason, @Nullable String remedy) {
        return new Availability(source, false, reason, remedy);
    }

    /**
     * One line for people.
     *
     * @return for example {@code off  kernel scheduling: needs root; run it with sudo}
     */
    @Override
    public String toString() {
        String line = (isOn ? "on   " : "off  ") + source + ": " + detail;
        return remedy == null ? line : line + "; " + Objects.requireNonNull(remedy);
    }
}
