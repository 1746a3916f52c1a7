package dev.unjank.doctor.find.startup;

import org.jspecify.annotations.Nullable;

/**
 * An app startup as the system logged it, the rows of {@code android_startups}.
 *
 * @param id the system's number of the startup, or its index
 * @param ts start, ns
 * @param end end, ns
 * @param app the package; null if unknown
 * @param type cold, warm or hot if the trace records it; null otherwise
 * @param reportedBySystem whether the system logged the startup with its number
 */
public record Startup(
        long id,
        long ts,
        long end,
        @Nullable String app,
        @Nullable String type,
        boolean reportedBySystem) {}
