package dev.unjank.record.jvm;

import dev.unjank.record.agent.AgentProtocol;
import dev.unjank.trace.read.jfr.JavaNames;
import dev.unjank.trace.write.TrackEventWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A thread was seen to wait for another.
 *
 * @param ns when, by {@link System#nanoTime}
 * @param since when the same wait was first seen
 * @param waiter the waiting thread's number in Java
 * @param owner that of the thread that had the lock
 * @param how {@link AgentProtocol#MONITOR} or {@link AgentProtocol#PARK}
 * @param lock the class of the lock, empty if not known
 * @param last whether this was seen when the recording ended
 * @param stack where the owner was, the innermost frame first, each as Android's runtime writes it; empty if not looked at
 */
record LockOwnerSample(
        long ns, long since, long waiter, long owner, byte how, String lock, boolean last, List<String> stack) {
    /** What the names of classes of the JDK begin with: where a program is, is where it called these. */
    private static final List<String> LIBRARY = List.of("java.", "jdk.", "sun.");

    /** The same with what a later look at the same owner saw. */
    LockOwnerSample withStack(List<String> other) {
        return new LockOwnerSample(ns, since, waiter, owner, how, lock, last, other);
    }

    /** Whether the lock may be of a class; the name of a hidden class, which has a slash in it, differs with who tells it. */
    boolean mayBeOf(@Nullable String type) {
        return type == null
                || lock.isEmpty()
                || lock.indexOf('/') >= 0
                || JavaNames.ofClass(lock).equals(type);
    }

    /** Where the owner was, outside of the JDK's own code if there is any; null if not known. */
    @Nullable
    String site() {
        for (String frame : stack) {
            String method = frame.substring(frame.indexOf(' ') + 1);
            if (LIBRARY.stream().noneMatch(method::startsWith)) {
                return frame;
            }
        }
        return stack.isEmpty() ? null : stack.getFirst();
    }

    /** Tells of a wait where its owner was, as far as that is known. */
    TrackEventWriter.Event tellStack(TrackEventWriter.Event wait) {
        return stack.isEmpty() ? wait : wait.arg("owner stack", String.join("\n", stack));
    }
}
