package dev.unjank.query.tables;

import static dev.unjank.query.load.TableDefinition.table;

import dev.unjank.query.load.NativeTable;
import dev.unjank.query.load.TableDefinition;
import dev.unjank.trace.model.Machine;
import dev.unjank.trace.model.Trace;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Tables of metadata about the trace and its machine. */
final class MetadataTables {
    private static final long NULL_VALUE = Long.MIN_VALUE;

    /** Entries that are numbers in Perfetto. */
    private static final Set<String> NUMBERS = Set.of("android_sdk_version", "num_cpus", "trace_size_bytes");

    private final Supplier<Trace> trace;

    MetadataTables(Supplier<Trace> trace) {
        this.trace = trace;
    }

    List<TableDefinition> definitions() {
        return List.of(
                table("trace_bounds", "start_ts INT, end_ts INT", this::bounds),
                table(
                        "metadata",
                        "id INT, name TEXT, key_type TEXT, int_value INT, str_value TEXT, machine_id INT, trace_id INT",
                        this::metadata),
                table(
                        "package_list",
                        "id INT, package_name TEXT, uid INT, debuggable INT, profileable_from_shell INT, version_code INT",
                        this::packages));
    }

    private NativeTable bounds(Arena arena) {
        return new NativeTable(arena, 1)
                .longs("start_ts", _ -> trace.get().startNs())
                .longs("end_ts", _ -> trace.get().endNs());
    }

    private NativeTable metadata(Arena arena) {
        record Entry(String name, String value) {}
        List<Entry> entries = new ArrayList<>();
        entries.add(new Entry("trace_size_bytes", Long.toString(trace.get().sizeBytes())));
        entries.add(new Entry("unjank_trace_name", trace.get().name()));
        trace.get().machine().facts().forEach((name, value) -> entries.add(new Entry(name, value)));
        return new NativeTable(arena, entries.size())
                .ints("id", row -> row)
                .strings("name", row -> entries.get(row).name())
                .strings("key_type", _ -> "single")
                .longs("int_value", NULL_VALUE, row -> {
                    Entry entry = entries.get(row);
                    return NUMBERS.contains(entry.name) ? number(entry.value) : NULL_VALUE;
                })
                .strings(
                        "str_value",
                        row -> text(entries.get(row).name(), entries.get(row).value()));
    }

    private static long number(String value) {
        try {
            return Long.parseLong(value);
        } catch (NumberFormatException _) {
            return NULL_VALUE;
        }
    }

    private static @Nullable String text(String name, String value) {
        return NUMBERS.contains(name) ? null : value;
    }

    private NativeTable packages(Arena arena) {
        List<Machine.App> apps = trace.get().machine().packages();
        return new NativeTable(arena, apps.size())
                .ints("id", row -> row)
                .strings("package_name", row -> apps.get(row).name())
                .longs("uid", row -> apps.get(row).uid())
                .ints("debuggable", row -> apps.get(row).debuggable() ? 1 : 0)
                .ints("profileable_from_shell", row -> apps.get(row).profileable() ? 1 : 0)
                .longs("version_code", row -> apps.get(row).versionCode());
    }
}
