package dev.unjank.doctor.find.thread;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Compares a thread's whole name with the kernel's, which has 15 bytes. Android's runtime keeps the last 15 bytes of a
 * name with dots, and the first 15 of any other. Recorders of Java programs omit the space before a parenthesis in the
 * names of slices.
 */
public final class ThreadNameMatcher {
    private static final int COMM_BYTES = 15;

    private ThreadNameMatcher() {}

    /** {@return whether {@code comm} may be the kernel's name of a thread with the whole name {@code name}} */
    public static boolean agree(@Nullable String name, @Nullable String comm) {
        if (name == null || comm == null || comm.isEmpty()) {
            return false;
        }
        return name.equals(comm)
                || name.equals(comm.replace(" (", "("))
                || ((name.startsWith(comm) || name.endsWith(comm)) && isFull(comm));
    }

    /**
     * {@return whether the kernel's name of a thread is a package name, or the end that Android keeps of a long one}
     */
    public static boolean isEnd(String packageName, @Nullable String comm) {
        return comm != null && (packageName.equals(comm) || (packageName.endsWith(comm) && isFull(comm)));
    }

    private static boolean isFull(String comm) {
        return comm.getBytes(StandardCharsets.UTF_8).length == COMM_BYTES;
    }
}
