package dev.unjank.looper;

import dev.unjank.looper.util.Nullable;
import java.util.List;
import java.util.Objects;

/**
 * A thread's state and stack at one moment. Immutable.
 *
 * @param name its name, or its number if it has none
 * @param state its state
 * @param waitsFor the lock or condition that it waits for, as class and identity hash; null if none or unknown
 * @param owner the name of the thread that owns that lock; null if none or unknown
 * @param stack its stack, the innermost call first; empty if it has not started or has ended
 */
public record ThreadSnapshot(
        String name,
        Thread.State state,
        @Nullable String waitsFor,
        @Nullable String owner,
        List<StackTraceElement> stack) {

    /** The stack is copied. */
    public ThreadSnapshot {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(state, "state");
        stack = List.copyOf(Objects.requireNonNull(stack, "stack"));
    }

    static void appendStack(StringBuilder b, List<StackTraceElement> stack) {
        for (StackTraceElement frame : stack) {
            b.append("\n    at ").append(frame);
        }
    }

    /** The thread with the lock that it waits for, and its stack. */
    @Override
    public String toString() {
        StringBuilder b =
                new StringBuilder("thread ").append(name).append(" is ").append(state);
        if (waitsFor != null) {
            b.append(", waits for ").append(waitsFor);
        }
        if (owner != null) {
            b.append(", which is owned by thread ").append(owner);
        }
        appendStack(b, stack);
        return b.toString();
    }
}
