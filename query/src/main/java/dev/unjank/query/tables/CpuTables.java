package dev.unjank.query.tables;

import static dev.unjank.query.load.TableDefinition.table;

import dev.unjank.query.load.NativeTable;
import dev.unjank.query.load.TableDefinition;
import dev.unjank.trace.model.Counters;
import dev.unjank.trace.model.CpuRuns;
import dev.unjank.trace.model.RecorderReport.Cpu;
import dev.unjank.trace.model.Trace;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Tables of the CPUs that the trace describes, that ran threads or that have counters. */
final class CpuTables {
    private final Supplier<Trace> trace;

    CpuTables(Supplier<Trace> trace) {
        this.trace = trace;
    }

    List<TableDefinition> definitions() {
        return List.of(
                table(
                        "cpu",
                        "id INT, ucpu INT, cpu INT, cluster_id INT, processor TEXT, machine_id INT, capacity INT,"
                                + " arg_set_id INT",
                        this::cpus),
                table("cpu_available_frequencies", "id INT, cpu INT, freq INT, ucpu INT", this::frequencies));
    }

    private NativeTable cpus(Arena arena) {
        CpuRuns runs = trace.get().cpuRuns();
        List<Cpu> described = trace.get().recorder().cpus();
        int[] clusters = clusters(described);
        IntStream running = IntStream.range(0, runs.cpus()).filter(cpu -> runs.first(cpu) < runs.end(cpu));
        Counters counters = trace.get().counters();
        IntStream counted =
                IntStream.range(0, counters.tracks()).map(counters::cpu).filter(cpu -> cpu >= 0);
        int[] cpus = IntStream.concat(IntStream.range(0, described.size()), IntStream.concat(running, counted))
                .sorted()
                .distinct()
                .toArray();
        return new NativeTable(arena, cpus.length)
                .ints("id", row -> cpus[row])
                .alias("id", "ucpu")
                .alias("id", "cpu")
                .ints("cluster_id", row -> cpus[row] < clusters.length ? clusters[cpus[row]] : 0)
                .strings("processor", row -> processor(described, cpus[row]))
                .ints("machine_id", _ -> 0)
                .ints(
                        "capacity",
                        0,
                        row -> cpus[row] < described.size()
                                ? described.get(cpus[row]).capacity()
                                : 0);
    }

    private static @Nullable String processor(List<Cpu> cpus, int cpu) {
        return cpu < cpus.size() && !cpus.get(cpu).processor().isEmpty()
                ? cpus.get(cpu).processor()
                : null;
    }

    /**
     * CPUs of one capacity form a cluster, the weakest first; without capacities, neighbors with the same frequencies.
     */
    private static int[] clusters(List<Cpu> cpus) {
        int[] capacities =
                cpus.stream().mapToInt(Cpu::capacity).sorted().distinct().toArray();
        int[] clusters = new int[cpus.size()];
        if (capacities.length > 0 && capacities[0] > 0) {
            for (int cpu = 0; cpu < clusters.length; cpu++) {
                int capacity = cpus.get(cpu).capacity();
                clusters[cpu] = (int) IntStream.of(capacities)
                        .filter(other -> other < capacity)
                        .count();
            }
            return clusters;
        }
        for (int cpu = 1; cpu < clusters.length; cpu++) {
            boolean isSame =
                    cpus.get(cpu).frequencies().equals(cpus.get(cpu - 1).frequencies());
            clusters[cpu] = clusters[cpu - 1] + (isSame ? 0 : 1);
        }
        return clusters;
    }

    private NativeTable frequencies(Arena arena) {
        record Frequency(int cpu, int kilohertz) {}
        List<Frequency> rows = new ArrayList<>();
        List<Cpu> cpus = trace.get().recorder().cpus();
        for (int cpu = 0; cpu < cpus.size(); cpu++) {
            for (int kilohertz : cpus.get(cpu).frequencies()) {
                rows.add(new Frequency(cpu, kilohertz));
            }
        }
        return new NativeTable(arena, rows.size())
                .ints("id", row -> row)
                .ints("cpu", row -> rows.get(row).cpu())
                .ints("freq", row -> rows.get(row).kilohertz())
                .alias("cpu", "ucpu");
    }
}
