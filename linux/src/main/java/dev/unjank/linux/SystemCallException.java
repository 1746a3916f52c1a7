package dev.unjank.linux;

/** The kernel has refused something that is not to be refused: the error's name is in the message. */
public final class SystemCallException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    /** The error's number. */
    private final int error;

    SystemCallException(String call, int error) {
        super(call + ": " + Errno.name(error));
        this.error = error;
    }

    /**
     * Which error.
     *
     * @return its number, as in {@link Errno}
     */
    public int error() {
        return error;
    }
}
