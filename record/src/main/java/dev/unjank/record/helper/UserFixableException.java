package dev.unjank.record.helper;

import java.io.IOException;

/** A failure that the user can fix, with a remedy. */
public final class UserFixableException extends IOException {
    private static final long serialVersionUID = 1;

    private final String remedy;

    /**
     * Creates an exception.
     *
     * @param message what failed
     * @param remedy what the user can do about it
     */
    public UserFixableException(String message, String remedy) {
        super(message);
        this.remedy = remedy;
    }

    /**
     * What the user can do about it.
     *
     * @return an imperative sentence without a full stop
     */
    public String remedy() {
        return remedy;
    }
}
