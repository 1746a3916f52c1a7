package dev.unjank.query.tables;

import static dev.unjank.query.load.TableDefinition.table;

import dev.unjank.query.load.NativeTable;
import dev.unjank.query.load.TableDefinition;
import dev.unjank.trace.model.Callstacks;
import dev.unjank.trace.model.StackSamples;
import dev.unjank.trace.model.Trace;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Tables of a sampling profiler. A call of the model is a callsite in Perfetto; frames are code locations, which
 * callsites share, and mappings are their files.
 */
final class ProfileTables {
    private final Supplier<Trace> trace;
    private @Nullable CodeLocations locations;

    ProfileTables(Supplier<Trace> trace) {
        this.trace = trace;
    }

    List<TableDefinition> definitions() {
        return List.of(
                table(
                        "perf_sample",
                        "id INT, ts INT, utid INT, cpu INT, cpu_mode TEXT, callsite_id INT, unwind_error TEXT,"
                                + " perf_session_id INT",
                        this::samples),
                table("stack_profile_callsite", "id INT, depth INT, parent_id INT, frame_id INT", this::callsites),
                table(
                        "stack_profile_frame",
                        "id INT, name TEXT, mapping INT, rel_pc INT, symbol_set_id INT, deobfuscated_name TEXT",
                        this::frames),
                table(
                        "stack_profile_mapping",
                        "id INT, build_id TEXT, exact_offset INT, start_offset INT, start INT, end INT, load_bias INT,"
                                + " name TEXT",
                        this::mappings),
                table(
                        "stack_profile_symbol",
                        "id INT, symbol_set_id INT, name TEXT, source_file TEXT, line_number INT, inlined INT",
                        this::symbols));
    }

    /** A code location: string ids of its name and file, and its line. */
    private record CodeLocation(int name, int file, int line) {}

    /** The distinct code locations of all calls. */
    private static final class CodeLocations {
        final List<CodeLocation> all = new ArrayList<>();
        final List<Integer> files = new ArrayList<>();
        final Map<Integer, Integer> fileIds = new LinkedHashMap<>();
        final int[] ofCall;

        CodeLocations(Callstacks calls) {
            Callstacks.Columns columns = calls.columns();
            Map<CodeLocation, Integer> ids = new LinkedHashMap<>();
            ofCall = new int[calls.size()];
            for (int call = 0; call < ofCall.length; call++) {
                CodeLocation location = new CodeLocation(
                        columns.name().get(call),
                        columns.file().get(call),
                        columns.line().get(call));
                ofCall[call] = ids.computeIfAbsent(location, _ -> ids.size());
                if (ids.size() > all.size()) {
                    all.add(location);
                    if (fileIds.putIfAbsent(location.file, files.size()) == null) {
                        files.add(location.file);
                    }
                }
            }
        }
    }

    private CodeLocations locations() {
        CodeLocations known = locations;
        if (known == null) {
            known = new CodeLocations(trace.get().callstacks());
            locations = known;
        }
        return known;
    }

    /** Samples of running threads, as in a CPU profile. */
    private NativeTable samples(Arena arena) {
        StackSamples samples = trace.get().samples();
        int[] rows =
                IntStream.range(0, samples.size()).filter(samples::isRunning).toArray();
        return new NativeTable(arena, rows.length)
                .ints("id", row -> rows[row])
                .longs("ts", row -> samples.ts(rows[row]))
                .ints("utid", row -> samples.utid(rows[row]))
                .ints("cpu", -1, row -> samples.cpu(rows[row]))
                .ints("callsite_id", -1, row -> samples.callstack(rows[row]));
    }

    private NativeTable callsites(Arena arena) {
        Callstacks calls = trace.get().callstacks();
        int[] depths = new int[calls.size()];
        for (int call = 0; call < depths.length; call++) {
            int parent = calls.parent(call);
            depths[call] = parent < 0 ? 0 : depths[parent] + 1;
        }
        int[] frames = locations().ofCall;
        return new NativeTable(arena, calls.size())
                .ints("id", row -> row)
                .ints("depth", row -> depths[row])
                .ints("parent_id", -1, calls::parent)
                .ints("frame_id", row -> frames[row]);
    }

    private NativeTable frames(Arena arena) {
        List<CodeLocation> all = locations().all;
        Map<Integer, Integer> files = locations().fileIds;
        return new NativeTable(arena, all.size())
                .ints("id", row -> row)
                .strings("name", row -> trace.get().strings().get(all.get(row).name))
                .ints("mapping", row -> files.getOrDefault(all.get(row).file, -1))
                .ints("symbol_set_id", -1, row -> hasLine(all.get(row)) ? row : -1);
    }

    private static boolean hasLine(CodeLocation location) {
        return location.line != Callstacks.NO_LINE;
    }

    private NativeTable mappings(Arena arena) {
        List<Integer> files = locations().files;
        return new NativeTable(arena, files.size())
                .ints("id", row -> row)
                .strings("name", row -> trace.get().strings().getOrNull(files.get(row)));
    }

    private NativeTable symbols(Arena arena) {
        List<CodeLocation> all = locations().all;
        int[] rows = IntStream.range(0, all.size())
                .filter(row -> hasLine(all.get(row)))
                .toArray();
        return new NativeTable(arena, rows.length)
                .ints("id", row -> row)
                .ints("symbol_set_id", row -> rows[row])
                .strings("name", row -> trace.get().strings().get(all.get(rows[row]).name))
                .strings("source_file", row -> trace.get().strings().getOrNull(all.get(rows[row]).file))
                .ints("line_number", row -> all.get(rows[row]).line);
    }
}
