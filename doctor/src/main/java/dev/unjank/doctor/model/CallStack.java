package dev.unjank.doctor.model;

import java.util.List;

/**
 * The call stack of a thread at the start of a wait, as far as it is recorded.
 *
 * @param frames the calls, the innermost first; empty if no stack is recorded
 */
public record CallStack(List<CodeLocation> frames) {
    /** No recorded stack. */
    public static final CallStack NONE = new CallStack(List.of());

    /** Copies the list. */
    public CallStack {
        frames = List.copyOf(frames);
    }

    /** {@return whether no stack is recorded} */
    public boolean isEmpty() {
        return frames.isEmpty();
    }
}
