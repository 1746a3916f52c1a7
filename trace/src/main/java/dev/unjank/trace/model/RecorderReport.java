package dev.unjank.trace.model;

import java.util.List;
import java.util.Set;

/**
 * What a recorder says about its recording and the machine, apart from {@link Machine#facts}.
 *
 * @param metadata entries of metadata that may occur several times, in recorded order
 * @param statistics the recorder's counts, by Perfetto's names
 * @param cpus the CPUs of the machine by number, empty if the recorder does not describe them
 * @param recordedPids the processes whose recorder has the wakeups of others only in part; empty if it has all wakeups
 */
public record RecorderReport(
        List<Entry> metadata, List<Statistic> statistics, List<Cpu> cpus, Set<Integer> recordedPids) {
    /** Copies the collections. */
    public RecorderReport {
        metadata = List.copyOf(metadata);
        statistics = List.copyOf(statistics);
        cpus = List.copyOf(cpus);
        recordedPids = Set.copyOf(recordedPids);
    }

    /**
     * An entry of metadata.
     *
     * @param name Perfetto's name
     * @param value a number
     */
    public record Entry(String name, long value) {}

    /**
     * A count.
     *
     * @param name Perfetto's name
     * @param index the buffer or CPU that it belongs to, -1 if there is only one of its name
     * @param trace the file that it comes from, numbered from 0
     * @param value the count, or an amount
     */
    public record Statistic(String name, int index, int trace, long value) {}

    /**
     * A CPU.
     *
     * @param processor its description, empty if unknown
     * @param capacity its performance relative to the fastest CPU's 1024, 0 if unknown
     * @param frequencies the frequencies that it can have, in kHz
     */
    public record Cpu(String processor, int capacity, List<Integer> frequencies) {
        /** Copies the list. */
        public Cpu {
            frequencies = List.copyOf(frequencies);
        }
    }
}
