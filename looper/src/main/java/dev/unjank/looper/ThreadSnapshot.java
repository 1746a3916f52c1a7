package dev.unjank.looper;

import dev.unjank.looper.util.Nullable;
import java.util.List;
import java.util.Objects;

/**
 * An immutable snapshot of a thread's state and stack.
 *
 * @param name the thread's name, or its id if it has no name
 * @param state the thread's state
 * @param waitsFor the lock or condition that the thread waits for, as class and identity hash; null if none or unknown
 * @param owner the name of the thread that owns that lock; null if none or unknown
 * @param stack the thread's stack, the innermost call first; empty if the thread has not started or has ended
 */
public record ThreadSnapshot(
        String name,
        Thread.State state,
        @Nullable String waitsFor,
        @Nullable String owner,
        List<StackTraceElement> stack) {

    /** Copies the stack. */
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

    /** Describes the thread, the lock that it waits for, and its stack. */
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
