package dev.unjank.cli.terminal;

/**
 * What the user gave cannot be used: told in one line, exit code 2. Carries no stack trace, since the reason is outside the
 * program.
 */
public final class UserError extends RuntimeException {
    private static final long serialVersionUID = 1;

    public UserError(String message) {
        super(message, null, false, false);
    }
}
