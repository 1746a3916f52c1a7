package dev.unjank.record.helper;

import java.io.IOException;

/** A failure that the user can fix, with a remedy. */
public final class UserFixableException extends IOException {
    private static final long serialVersionUID = 1;

    private final String remedy;

    public UserFixableException(String message, String remedy) {
        super(message);
        this.remedy = remedy;
    }

    /** The remedy, in words for the user. */
    public String remedy() {
        return remedy;
    }
}
