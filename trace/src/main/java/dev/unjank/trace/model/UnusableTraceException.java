package dev.unjank.trace.model;

import java.io.IOException;

/**
 * The input holds no trace that could be used. The message is one line for the person at the keyboard: what is wrong,
 * where, and what to do about it.
 */
public final class UnusableTraceException extends IOException {
    private static final long serialVersionUID = 1L;

    /**
     * Says why a trace cannot be used.
     *
     * @param message one line, without a trailing stop or line break
     */
    public UnusableTraceException(String message) {
        super(message);
    }

    /**
     * Says why a trace cannot be used, keeping what led to it.
     *
     * @param message one line, without a trailing stop or line break
     * @param cause what was caught
     */
    public UnusableTraceException(String message, Throwable cause) {
        super(message, cause);
    }
}
