package dev.unjank.query.tables;

import dev.unjank.query.load.NativeTable;
import dev.unjank.query.load.TableDefinition;
import dev.unjank.trace.model.RecorderReport.Statistic;
import dev.unjank.trace.model.Trace;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * The table of statistics: what the recorder counted, by Perfetto's names. As in trace processor, a name without an
 * index has a row for each file even if nothing was counted.
 */
final class StatisticsTable {
    private static final int NO_INDEX = -1;
    private static final int NO_TRACE = -1;

    /** A name: its number, whether its rows have an index, and whether they belong to no machine. */
    private record Name(String name, int key, String severity, String source, boolean isIndexed, boolean isGlobal) {}

    private record Row(Name name, int index, int trace, long value) {}

    private final Supplier<Trace> trace;

    private StatisticsTable(Supplier<Trace> trace) {
        this.trace = trace;
    }

    static TableDefinition of(Supplier<Trace> trace) {
        return TableDefinition.table(
                "stats",
                "id INT, name TEXT, key INT, idx INT, severity TEXT, source TEXT, value INT, description TEXT,"
                        + " machine_id INT, trace_id INT",
                new StatisticsTable(trace)::load);
    }

    private NativeTable load(Arena arena) {
        List<Row> rows = rows();
        return new NativeTable(arena, rows.size())
                .ints("id", row -> row)
                .strings("name", row -> rows.get(row).name.name)
                .ints("key", row -> rows.get(row).name.key)
                .ints("idx", NO_INDEX, row -> rows.get(row).index)
                .strings("severity", row -> rows.get(row).name.severity)
                .strings("source", row -> rows.get(row).name.source)
                .longs("value", row -> rows.get(row).value)
                .strings("description", _ -> "")
                .ints("machine_id", -1, row -> rows.get(row).trace < 0 ? -1 : 0)
                .ints("trace_id", -1, row -> rows.get(row).trace);
    }

    private List<Row> rows() {
        List<Row> indexed = new ArrayList<>();
        Map<String, Name> names = names();
        List<Statistic> statistics = trace.get().recorder().statistics();
        Map<String, Map<Integer, Long>> counts = new HashMap<>();
        for (Statistic statistic : statistics) {
            Name name = names.get(statistic.name());
            if (name == null || name.isIndexed != statistic.index() >= 0) {
                continue;
            }
            int of = name.isGlobal ? NO_TRACE : statistic.trace();
            if (name.isIndexed) {
                indexed.add(new Row(name, statistic.index(), of, statistic.value()));
            } else {
                counts.computeIfAbsent(name.name, _ -> new HashMap<>()).merge(of, statistic.value(), Long::sum);
            }
        }
        int last = statistics.stream().mapToInt(Statistic::trace).max().orElse(0);
        List<Row> rows = new ArrayList<>();
        for (Name name : names.values()) {
            if (!name.isIndexed) {
                Map<Integer, Long> values = counts.getOrDefault(name.name, Map.of());
                IntStream.rangeClosed(name.isGlobal ? NO_TRACE : 0, name.isGlobal ? NO_TRACE : last)
                        .forEach(of -> rows.add(new Row(name, NO_INDEX, of, values.getOrDefault(of, 0L))));
            }
        }
        rows.addAll(indexed);
        return rows;
    }

    private static Map<String, Name> names() {
        try (InputStream in = Objects.requireNonNull(StatisticsTable.class.getResourceAsStream("stats.txt"))) {
            Map<String, Name> names = new LinkedHashMap<>();
            new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(StatisticsTable::name)
                    .forEach(name -> names.put(name.name, name));
            return names;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Name name(String line) {
        List<String> words = List.of(line.split(" "));
        return new Name(
                words.get(0),
                Integer.parseInt(words.get(1)),
                words.get(2),
                words.get(3),
                words.contains("indexed"),
                words.contains("global"));
    }
}
