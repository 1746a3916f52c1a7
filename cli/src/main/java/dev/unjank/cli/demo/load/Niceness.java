package dev.unjank.cli.demo.load;

import dev.unjank.linux.LinuxThreads;
import dev.unjank.linux.Scheduling;

/**
 * The nice value of a thread: from -20, the most important, to 19. Anybody may raise it, only root may lower it.
 *
 * <p>Java's own priorities do not reach Linux's scheduler, so this asks the kernel there. On Linux a nice value
 * belongs to a thread and 0 names the caller; elsewhere it belongs to the process, and the call would lower the UI loop too.
 */
public final class Niceness {

    /** The lowest priority an ordinary thread can have. */
    public static final int LOWEST = 19;

    private Niceness() {}

    /**
     * Tells whether this system gives each thread a nice value of its own.
     *
     * @return true on Linux
     */
    public static boolean isPerThread() {
        return System.getProperty("os.name").equals("Linux");
    }

    /**
     * Sets the calling thread to nice {@value #LOWEST}, for good: without privileges there is no way back.
     *
     * @return whether it is in force; what stands in the way (another system, no native access) is no failure
     */
    static boolean lowerCurrentThread() {
        return setCurrentThread(LOWEST);
    }

    /**
     * Gives the calling thread another nice value, which threads that it starts from then on inherit.
     *
     * @param nice the value, -20 to {@value #LOWEST}
     * @return whether it is in force; what stands in the way (no permission, another system, no native access) is no failure
     */
    public static boolean setCurrentThread(int nice) {
        if (!isPerThread() || LinuxThreads.obstacle() != null) {
            return false;
        }
        try {
            return LinuxThreads.schedule(LinuxThreads.SELF, new Scheduling(Scheduling.OTHER, nice, 0, false));
        } catch (IllegalStateException e) {
            return false; // whoever asks goes on with ordinary priority, and says so
        }
    }
}
