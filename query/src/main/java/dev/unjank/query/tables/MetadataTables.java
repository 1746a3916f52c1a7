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

/** What the trace says of itself and of the machine that it is of. */
final class MetadataTables {
    private static final long NO_NUMBER = Long.MIN_VALUE;

    /** The facts that Perfetto has as numbers. */
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
        record Fact(String name, String value) {}
        List<Fact> facts = new ArrayList<>();
        facts.add(new Fact("trace_size_bytes", Long.toString(trace.get().sizeBytes())));
        facts.add(new Fact("unjank_trace_name", trace.get().name()));
        trace.get().machine().facts().forEach((name, value) -> facts.add(new Fact(name, value)));
        return new NativeTable(arena, facts.size())
                .ints("id", row -> row)
                .texts("name", row -> facts.get(row).name())
                .texts("key_type", _ -> "single")
                .longs("int_value", NO_NUMBER, row -> {
                    Fact fact = facts.get(row);
                    return NUMBERS.contains(fact.name) ? number(fact.value) : NO_NUMBER;
                })
                .texts(
                        "str_value",
                        row -> text(facts.get(row).name(), facts.get(row).value()));
    }

    private static long number(String value) {
        try {
            return Long.parseLong(value);
        } catch (NumberFormatException _) {
            return NO_NUMBER;
        }
    }

    private static @Nullable String text(String name, String value) {
        return NUMBERS.contains(name) ? null : value;
    }

    private NativeTable packages(Arena arena) {
        List<Machine.App> apps = trace.get().machine().packages();
        return new NativeTable(arena, apps.size())
                .ints("id", row -> row)
                .texts("package_name", row -> apps.get(row).name())
                .longs("uid", row -> apps.get(row).uid())
                .ints("debuggable", row -> apps.get(row).debuggable() ? 1 : 0)
                .ints("profileable_from_shell", row -> apps.get(row).profileable() ? 1 : 0)
                .longs("version_code", row -> apps.get(row).versionCode());
    }
}
