package dev.unjank.doctor.model;

import org.jspecify.annotations.Nullable;

/**
 * The use of a resource with permits or pooled objects in the whole trace, as inferred from the waits for it.
 *
 * @param atOnce number of threads that had a permit at once, usually
 * @param threads number of threads that had one at some time
 * @param holds number of times that a thread had one
 * @param medianNs the median duration of these, ns
 * @param longestNs the longest of them, ns
 * @param takenAt the code that took them; null if unknown
 */
public record ResourceUse(
        int atOnce,
        int threads,
        int holds,
        long medianNs,
        long longestNs,
        @Nullable CodeLocation takenAt) {}
