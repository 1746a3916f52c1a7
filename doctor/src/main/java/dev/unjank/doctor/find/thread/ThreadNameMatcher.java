package dev.unjank.doctor.find.thread;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A thread's whole name against the kernel's, which holds 15 bytes. Android's runtime puts the last 15 bytes of a name with
 * dots there, the first 15 of any other. In the names of slices recorders of Java programs leave the space before a parenthesis out.
 */
public final class ThreadNameMatcher {
    private static final int COMM_BYTES = 15;

    private ThreadNameMatcher() {}

    /**
     * {@return whether a thread of the whole name {@code name} may bear the kernel's name {@code comm}}
     */
    public static boolean agree(@Nullable String name, @Nullable String comm) {
        if (name == null || comm == null || comm.isEmpty()) {
            return false;
        }
        return name.equals(comm)
                || name.equals(comm.replace(" (", "("))
                || ((name.startsWith(comm) || name.endsWith(comm)) && isFull(comm));
    }

    /**
     * {@return whether the kernel's name of a thread is a package's, or the end of it that Android leaves of a long one}
     */
    public static boolean isEnd(String packageName, @Nullable String comm) {
        return comm != null && (packageName.equals(comm) || (packageName.endsWith(comm) && isFull(comm)));
    }

    private static boolean isFull(String comm) {
        return comm.getBytes(StandardCharsets.UTF_8).length == COMM_BYTES;
    }
}
