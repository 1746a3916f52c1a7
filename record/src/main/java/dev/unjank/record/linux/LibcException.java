package dev.unjank.record.linux;

import java.io.IOException;

/** The failure of a C library function. */
public final class LibcException extends IOException {
    private static final long serialVersionUID = 1;

    private final int error;

    LibcException(String what, int error, String text) {
        super(what + ": " + text);
        this.error = error;
    }

    /**
     * The reason: a constant of {@link dev.unjank.linux.Errno}, which the compiler inlines, because the helper has only
     * this jar.
     */
    public int error() {
        return error;
    }
}
