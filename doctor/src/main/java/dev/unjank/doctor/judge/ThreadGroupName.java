package dev.unjank.doctor.judge;

import dev.unjank.doctor.model.ThreadRef;
import java.util.regex.Pattern;

/** The name of a group of threads: the common part of their names, with {@code #} in place of numbers. */
public final class ThreadGroupName {
    /** Names by the JDK's thread factories, in which the first number is the factory's. */
    private static final Pattern FACTORY = Pattern.compile("((?:pool|ForkJoinPool)-\\d+-(?:thread|worker)-)\\d+");

    private static final Pattern NUMBER = Pattern.compile("\\d+");

    private ThreadGroupName() {}

    /** {@return the name of a thread's group, such as {@code http-worker-#} of {@code http-worker-3}} */
    public static String of(String thread) {
        var factory = FACTORY.matcher(thread);
        return factory.matches()
                ? factory.group(1) + "#"
                : NUMBER.matcher(thread).replaceAll("#");
    }

    /** {@return the name of a thread's group; empty if the thread has no name} */
    static String of(ThreadRef thread) {
        return thread.name() == null ? "" : of(thread.name());
    }

    /** {@return whether a name ends with a number, as those of a pool's threads} */
    public static boolean isOfPool(String thread) {
        return !thread.isEmpty() && Character.isDigit(thread.charAt(thread.length() - 1));
    }
}
