package dev.unjank.doctor.report;

import dev.unjank.doctor.model.AppStartup;

/** Says in plain English how long the start of an app took, and where the time went. */
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
                        ? "; first frame after " + DurationFormat.time(start.timeToInitialDisplayNs())
                        : "; the trace shows no first frame");
    }

    /**
     * {@return what the main thread did in a share of it}
     *
     * @param cause the share's cause
     */
    public static String cause(AppStartup.Cause cause) {
        return switch (cause) {
            case NOT_YET_BORN -> "process not there yet";
            case RUNNING -> "running";
            case RUNNABLE -> "ready, without a CPU";
            case LOCK -> "lock";
            case BINDER -> "reply";
            case GC -> "garbage collector";
            case IO -> "in the kernel, I/O";
            case SLEEPING -> "sleeping";
            case UNKNOWN -> "not recorded";
        };
    }
}
