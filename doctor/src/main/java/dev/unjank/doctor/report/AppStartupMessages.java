package dev.unjank.doctor.report;

import dev.unjank.doctor.model.AppStartup;

/** Messages for app startups. */
public final class AppStartupMessages {
    private AppStartupMessages() {}

    /** {@return how long it took, as Android counts it, and until the first frame} */
    public static String length(AppStartup start) {
        String duration = DurationFormat.time(start.durNs());
        return start.hasFirstFrame()
                ? Messages.of("startup.drawn", duration, DurationFormat.time(start.timeToInitialDisplayNs()))
                : Messages.of("startup.notDrawn", duration);
    }

    /** {@return what the main thread did in a share of it} */
    public static String cause(AppStartup.Cause cause) {
        return Messages.of("startup." + cause);
    }
}
