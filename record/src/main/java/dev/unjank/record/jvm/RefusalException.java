package dev.unjank.record.jvm;

import java.io.IOException;

/** The target does not let itself be looked into, and something can be done about it. */
final class RefusalException extends IOException {
    private static final long serialVersionUID = 1;

    private final String remedy;

    RefusalException(String message, String remedy) {
        super(message);
        this.remedy = remedy;
    }

    /** What to do to be let in. */
    String remedy() {
        return remedy;
    }
}
