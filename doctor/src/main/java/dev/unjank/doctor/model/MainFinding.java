package dev.unjank.doctor.model;

import org.jspecify.annotations.Nullable;

/**
 * What a report says first. It is about the trace as a whole, or about threads that were asked for by name; then also about what is
 * worse.
 *
 * @param incident the incident that cost late frames most, or else the worst; null if there is none
 * @param costNs what it cost late frames, in ns; 0 if nothing
 * @param workload the longest late frame, if its own program's work took most of it rather than waits; else null
 * @param worstNotShown what is worse than the {@code incident} of threads that were asked for and is not shown; null if nothing
 * @param worstNotShownCostNs what that cost late frames, in ns; 0 if nothing
 */
public record MainFinding(
        @Nullable Incident incident,
        long costNs,
        @Nullable FrameWorkload workload,
        @Nullable Incident worstNotShown,
        long worstNotShownCostNs) {}
