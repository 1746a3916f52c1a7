package dev.unjank.doctor.model;

import org.jspecify.annotations.Nullable;

/**
 * The finding that a report puts first. If the options name threads, it is about these, and also has a worse incident
 * of other threads.
 *
 * @param incident the incident with the highest cost in missed frames, or else the worst; null without any
 * @param costNs its cost in missed frames, ns
 * @param workload the longest missed frame, if its program's own work took most of it rather than waits; null otherwise
 * @param worstNotShown the worst incident that is not shown, if worse than {@code incident}; null otherwise
 * @param worstNotShownCostNs its cost in missed frames, ns
 */
public record MainFinding(
        @Nullable Incident incident,
        long costNs,
        @Nullable FrameWorkload workload,
        @Nullable Incident worstNotShown,
        long worstNotShownCostNs) {}
