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

    private record Key(String name, int index) {}

    private final List<Entry> metadata = new ArrayList<>();
    private final Map<Key, Long> statistics = new LinkedHashMap<>();
    private final List<Cpu> cpus = new ArrayList<>();

    RecorderSink() {}

    /** Adds an entry of metadata that may occur several times. */
    public void metadata(String name, long value) {
        if (metadata.size() < MAX_ENTRIES) {
            metadata.add(new Entry(name, value));
        }
    }

    /** Sets a count, which replaces an earlier one; the index is -1 if there is only one of its name. */
    public void statistic(String name, int index, long value) {
        Key key = new Key(name, index);
        if (statistics.size() < MAX_ENTRIES || statistics.containsKey(key)) {
            statistics.put(key, value);
        }
    }

    /** {@return a count, 0 if it is unknown} */
    public long valueOf(String name, int index) {
        Long value = statistics.get(new Key(name, index));
        return value == null ? 0 : value;
    }

    /** Sets the description of all CPUs; the first one remains. */
    public void cpus(List<Cpu> described) {
        if (cpus.isEmpty()) {
            cpus.addAll(described);
        }
    }

    void append(RecorderSink part) {
        part.metadata.forEach(entry -> metadata(entry.name(), entry.value()));
        part.statistics.forEach((key, value) -> statistic(key.name, key.index, value));
        cpus(part.cpus);
    }

    RecorderReport report(Set<Integer> recordedPids) {
        List<Statistic> counts = new ArrayList<>();
        statistics.forEach((key, value) -> counts.add(new Statistic(key.name, key.index, value)));
        return new RecorderReport(metadata, counts, cpus, recordedPids);
    }
}
