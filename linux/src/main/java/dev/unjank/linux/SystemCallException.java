package dev.unjank.linux;

/** Thrown when a system call fails unexpectedly. The message contains the call and the name of the error. */
public final class SystemCallException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    /** The error's number. */
    private final int error;

    SystemCallException(String call, int error) {
        super(call + ": " + Errno.name(error));
        this.error = error;
    }

    /**
     * Returns the error.
     *
     * @return its number, as in {@link Errno}
     */
    public int error() {
        return error;
    }
}
