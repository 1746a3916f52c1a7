package dev.unjank.record.lifecycle;

import org.jspecify.annotations.Nullable;

/** What something has only between its start and its end. */
public final class Started {
    private Started() {}

    /**
     * A part that the start has made.
     *
     * @param part the part, null before
     * @param <T> what it is
     * @return the same
     * @throws IllegalStateException if it is not there yet: to ask for it is a mistake of the caller's
     */
    public static <T> T required(@Nullable T part) {
        if (part == null) {
            throw new IllegalStateException("not started");
        }
        return part;
    }
}
