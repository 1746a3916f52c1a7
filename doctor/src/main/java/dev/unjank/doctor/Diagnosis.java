package dev.unjank.doctor;

import java.util.List;

/**
 * What the doctor found in a trace. Immutable.
 *
 * @param trace the trace's name
 * @param startNs when the trace begins, on its own clock
 * @param durationNs how long it is, in ns
 * @param search where the doctor looked
 * @param incidents the waits for contended locks, the longest first
 * @param warnings what a reader should know first: what the trace lacks, what went wrong while it was read, what was asked
 *     for and is not there
 */
public record Diagnosis(
        String trace, long startNs, long durationNs, Search search, List<Incident> incidents, List<String> warnings) {
    /** Keeps its own copies of the lists. */
    public Diagnosis {
        incidents = List.copyOf(incidents);
        warnings = List.copyOf(warnings);
    }

    /**
     * Where the doctor looked, so that an empty result can be told from a healthy one.
     *
     * @param options what was asked for
     * @param threads how many threads fit it
     * @param waits how many waits of theirs for a contended lock the trace shows, of any length
     * @param longestNs the longest of these waits, in ns
     * @param waitsOfOthers how many waits of other threads it shows
     */
    public record Search(DoctorOptions options, int threads, int waits, long longestNs, int waitsOfOthers) {}
}
