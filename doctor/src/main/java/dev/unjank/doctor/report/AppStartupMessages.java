package dev.unjank.doctor.report;

import dev.unjank.doctor.model.AppStartup;

/** Messages for app startups. */
public final class AppStartupMessages {
    private AppStartupMessages() {}

    /**
     * {@return how long it took, as Android counts it, and until the first frame}
     *
     * @param start the start
     */
    public static String length(AppStartup start) {
        return DurationFormat.time(start.durNs())
                + (start.hasFirstFrame()
                        ? "; time to initial display " + DurationFormat.time(start.timeToInitialDisplayNs())
                        : "; first frame not recorded");
    }

    /**
     * {@return what the main thread did in a share of it}
     *
     * @param cause the share's cause
     */
    public static String cause(AppStartup.Cause cause) {
        return switch (cause) {
            case NOT_YET_BORN -> "process start";
            case RUNNING -> "running";
            case RUNNABLE -> "runnable";
            case LOCK -> "lock";
            case BINDER -> "binder reply";
            case GC -> "garbage collector";
            case IO -> "I/O, in kernel";
            case SLEEPING -> "sleeping";
            case UNKNOWN -> "not recorded";
        };
    }
}
