package dev.unjank.looper.util;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/** Reports exceptions that do not end a thread. */
public final class UncaughtExceptions {
    private static final Logger LOG = System.getLogger("dev.unjank.looper");

    private UncaughtExceptions() {}

    /** Passes an exception to the uncaught exception handler of this thread. An exception of that handler is logged. */
    public static void report(Throwable thrown) {
        Thread thread = Thread.currentThread();
        try {
            thread.getUncaughtExceptionHandler().uncaughtException(thread, thrown);
        } catch (Throwable failure) {
            LOG.log(Level.ERROR, "The uncaught exception handler of " + thread + " failed", failure);
        }
    }
}
