package dev.unjank.trace.model;

import java.io.IOException;

/**
 * Thrown if the input contains no usable trace. The message is one line for the user: what is wrong, where, and what
 * to do about it.
 */
public final class UnusableTraceException extends IOException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message one line, without a trailing stop or line break
     */
    public UnusableTraceException(String message) {
        super(message);
    }

    /**
     * Creates an exception with a cause.
     *
     * @param message one line, without a trailing stop or line break
     * @param cause the cause
     */
    public UnusableTraceException(String message, Throwable cause) {
        super(message, cause);
    }
}
