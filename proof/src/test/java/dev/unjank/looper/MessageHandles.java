package dev.unjank.looper;

import dev.unjank.looper.util.Nullable;

/**
 * The messages of a scenario by their codes, from the beginning of their sending; a removed message has lost its own.
 * For the model checker an operation here is one step.
 */
final class MessageHandles {
    /** More than there are messages in a scenario. */
    static final int CODES = 64;

    private final int[] codes = new int[CODES];
    private final Message[] messages = new Message[CODES];

    void put(int code, Message message) {
        codes[code % CODES] = code;
        messages[code % CODES] = message;
    }

    @Nullable
    Message get(int code) {
        return messages[code % CODES];
    }

    int codeOf(Message message) {
        for (int i = 0; i < CODES; i++) {
            if (messages[i] == message) {
                return codes[i];
            }
        }
        throw new AssertionError("not sent: " + message);
    }
}
