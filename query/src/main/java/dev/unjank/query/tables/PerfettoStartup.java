package dev.unjank.query.tables;

import org.jspecify.annotations.Nullable;

/**
 * The start of an app, as {@code android_startups} has it.
 *
 * @param id the system's number of it, or its place among the starts
 * @param ts when it began, ns
 * @param end when it ended, ns
 * @param app the package; null if nobody says
 * @param type cold, warm or hot, as the trace tells it; else null
 * @param marked whether the system marked it as a start, with its number
 */
record PerfettoStartup(
        long id,
        long ts,
        long end,
        @Nullable String app,
        @Nullable String type,
        boolean marked) {}
