package dev.unjank.record.jvm;

import org.jspecify.annotations.Nullable;

/** What a source has only between its start and its end. */
final class Start {
    private Start() {}

    /** A part that the start has made; to ask for it before is a mistake of the caller's. */
    static <T> T required(@Nullable T part) {
        if (part == null) {
            throw new IllegalStateException("not started");
        }
        return part;
    }
}
