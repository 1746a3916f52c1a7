package dev.unjank.record.jvm;

import dev.unjank.record.agent.AgentProtocol;
import dev.unjank.trace.read.jfr.JavaNames;
import dev.unjank.trace.write.TrackEventWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A sample of a lock wait.
 *
 * @param ns when, by {@link System#nanoTime}
 * @param since when the same wait was first seen
 * @param how {@link AgentProtocol#MONITOR} or {@link AgentProtocol#PARK}
 * @param lock the class of the lock, empty if unknown
 * @param last whether this is of the last sample, at the end of the recording
 * @param stack the owner's stack, the innermost frame first, each as in ART's slice names; empty if not taken
 */
record LockOwnerSample(
        long ns, long since, long waiter, long owner, byte how, String lock, boolean last, List<String> stack) {
    /** Package prefixes of the JDK, whose frames are skipped in favour of the caller. */
    private static final List<String> LIBRARY = List.of("java.", "jdk.", "sun.");

    /** This sample with the stack of a later one of the same owner. */
    LockOwnerSample withStack(List<String> other) {
        return new LockOwnerSample(ns, since, waiter, owner, how, lock, last, other);
    }

    /**
     * Whether the lock may be of a class. The name of a hidden class, which contains a slash, differs between JVM
     * interfaces.
     */
    boolean mayBeOf(@Nullable String type) {
        return type == null
                || lock.isEmpty()
                || lock.indexOf('/') >= 0
                || JavaNames.ofClass(lock).equals(type);
    }

    /** The owner's innermost frame outside of the JDK, otherwise its innermost frame; null if unknown. */
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

    /** Adds the owner's stack to the event of a wait, if known. */
    TrackEventWriter.Event addStack(TrackEventWriter.Event wait) {
        return stack.isEmpty() ? wait : wait.arg("owner stack", String.join("\n", stack));
    }
}
