package dev.unjank.cli.terminal;

/** Wrong usage or unusable input, reported in one line with exit code 2. Has no stack trace. */
public final class UserError extends RuntimeException {
    private static final long serialVersionUID = 1;

    public UserError(String message) {
        super(message, null, false, false);
    }
}
