package dev.unjank.record.lifecycle;

import org.jspecify.annotations.Nullable;

/** Checks of fields that are null before a start. */
public final class Started {
    private Started() {}

    /**
     * Requires a field that is set by a start.
     *
     * @param part its value, null before the start
     * @throws IllegalStateException if it is null
     */
    public static <T> T required(@Nullable T part) {
        if (part == null) {
            throw new IllegalStateException("not started");
        }
        return part;
    }
}
