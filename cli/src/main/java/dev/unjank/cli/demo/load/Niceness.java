package dev.unjank.cli.demo.load;

import dev.unjank.linux.LinuxThreads;
import dev.unjank.linux.Scheduling;

/**
 * Sets the nice value of a thread: from -20, the highest priority, to 19. Any thread may raise it; only root may lower
 * it.
 *
 * <p>Linux ignores Java's thread priorities by default, so this calls the kernel. On other systems the nice value
 * belongs to the process, which would include the UI loop.
 */
public final class Niceness {

    /** The nice value of the lowest priority. */
    public static final int LOWEST = 19;

    private Niceness() {}

    /** Whether each thread has its own nice value. */
    public static boolean isPerThread() {
        return System.getProperty("os.name").equals("Linux");
    }

    /**
     * Sets the calling thread to nice {@value #LOWEST}; false on other systems and without native access. Without
     * privileges this cannot be undone.
     */
    static boolean lowerCurrentThread() {
        return setCurrentThread(LOWEST);
    }

    /**
     * Sets the nice value of the calling thread, -20 to {@value #LOWEST}, and of threads that it starts later; false
     * without permission, on other systems and without native access.
     */
    public static boolean setCurrentThread(int nice) {
        if (!isPerThread() || LinuxThreads.obstacle() != null) {
            return false;
        }
        try {
            return LinuxThreads.schedule(LinuxThreads.SELF, new Scheduling(Scheduling.OTHER, nice, 0, false));
        } catch (IllegalStateException e) {
            return false; // callers continue with normal priority and report that
        }
    }
}
