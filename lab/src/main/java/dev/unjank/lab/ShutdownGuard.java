package dev.unjank.lab;

/** Ends something in good order also if this process is interrupted while it is under way. */
public final class ShutdownGuard implements AutoCloseable {

    private final Thread hook;

    private ShutdownGuard(Thread hook) {
        this.hook = hook;
    }

    /**
     * Guards from now on.
     *
     * @param guarded closed if the process ends before the guard is; it is closed on another thread then
     * @return to be closed before the guarded thing
     */
    public static ShutdownGuard of(AutoCloseable guarded) {
        Thread hook = new Thread(() -> closeQuietly(guarded), "shutdown-guard");
        Runtime.getRuntime().addShutdownHook(hook);
        return new ShutdownGuard(hook);
    }

    private static void closeQuietly(AutoCloseable guarded) {
        try {
            guarded.close();
        } catch (Exception e) {
            // the process is ending: there is nobody to tell
        }
    }

    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // the process is ending, and the hook does it
        }
    }
}
