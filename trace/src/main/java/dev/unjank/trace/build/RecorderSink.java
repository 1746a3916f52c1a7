package dev.unjank.trace.build;

import dev.unjank.trace.model.RecorderReport;
import dev.unjank.trace.model.RecorderReport.Cpu;
import dev.unjank.trace.model.RecorderReport.Entry;
import dev.unjank.trace.model.RecorderReport.Statistic;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Sink of what a recorder says about its recording. */
public final class RecorderSink {
    /** The limit of entries of each kind, for damaged traces. */
    private static final int MAX_ENTRIES = 1 << 14;

    /** A count of the file with a number, which is 0 for a single file. */
    private record Key(String name, int index, int file) {}

    private final List<Entry> metadata = new ArrayList<>();
    private final Map<Key, Long> statistics = new LinkedHashMap<>();
    private final List<Cpu> cpus = new ArrayList<>();

    /** The number of files that have been merged. */
    private int files;

    RecorderSink() {}

    /** Adds an entry of metadata that may occur several times. */
    public void metadata(String name, long value) {
        if (metadata.size() < MAX_ENTRIES) {
            metadata.add(new Entry(name, value));
        }
    }

    /** Sets a count, which replaces an earlier one; the index is -1 if there is only one of its name. */
    public void statistic(String name, int index, long value) {
        set(new Key(name, index, 0), value);
    }

    private void set(Key key, long value) {
        if (statistics.size() < MAX_ENTRIES || statistics.containsKey(key)) {
            statistics.put(key, value);
        }
    }

    /** {@return a count, 0 if it is unknown} */
    public long valueOf(String name, int index) {
        Long value = statistics.get(new Key(name, index, 0));
        return value == null ? 0 : value;
    }

    /** Sets the description of all CPUs; the first one remains. */
    public void cpus(List<Cpu> described) {
        if (cpus.isEmpty()) {
            cpus.addAll(described);
        }
    }

    /** Adds the counts of a part of the same file, which replace earlier ones. */
    void append(RecorderSink part) {
        append(part, 0);
    }

    /** Adds the counts of another file, which are kept apart. */
    void appendFile(RecorderSink file) {
        append(file, files++);
    }

    private void append(RecorderSink part, int file) {
        part.metadata.forEach(entry -> metadata(entry.name(), entry.value()));
        part.statistics.forEach((key, value) -> set(new Key(key.name, key.index, file), value));
        cpus(part.cpus);
    }

    RecorderReport report(Set<Integer> recordedPids) {
        List<Statistic> counts = new ArrayList<>();
        statistics.forEach((key, value) -> counts.add(new Statistic(key.name, key.index, key.file, value)));
        return new RecorderReport(metadata, counts, cpus, recordedPids);
    }
}
