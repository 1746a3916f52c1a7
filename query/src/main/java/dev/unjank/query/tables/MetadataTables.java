package dev.unjank.query.tables;

import static dev.unjank.query.load.TableDefinition.table;

import dev.unjank.query.load.NativeTable;
import dev.unjank.query.load.TableDefinition;
import dev.unjank.trace.model.Machine;
import dev.unjank.trace.model.Trace;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Tables of metadata about the trace and its machine. */
final class MetadataTables {
    private static final long NULL_VALUE = Long.MIN_VALUE;
    private static final String SINGLE = "single";
    private static final String MULTI = "multi";

    /** Entries that are numbers in Perfetto. */
    private static final Set<String> NUMBERS = Set.of(
            "android_sdk_version",
            "num_cpus",
            "trace_size_bytes",
            "timezone_off_mins",
            "system_ram_bytes",
            "system_ram_gb",
            "tracing_started_ns",
            "all_data_source_started_ns",
            "tracing_disabled_ns");

    /** Beginnings of names of entries that belong to the trace. All others belong to the machine, */
    private static final Pattern OF_TRACE = Pattern.compile("(trace_|tracing_.*_ns|all_data_source|unjank_).*");

    /** and times of the recording to both. */
    private static final Pattern OF_BOTH = Pattern.compile(".*_ns");

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
                        "machine",
                        "id INT, raw_id INT, name TEXT, sysname TEXT, release TEXT, version TEXT, arch TEXT, num_cpus INT,"
                                + " android_build_fingerprint TEXT, android_device_manufacturer TEXT,"
                                + " android_sdk_version INT, system_ram_bytes INT, system_ram_gb INT, label_index INT",
                        this::machine),
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

    private record Entry(String name, String type, String value) {
        boolean isNumber() {
            return type.equals(MULTI) || NUMBERS.contains(name);
        }
    }

    private NativeTable metadata(Arena arena) {
        List<Entry> entries = new ArrayList<>();
        entries.add(
                new Entry("trace_size_bytes", SINGLE, Long.toString(trace.get().sizeBytes())));
        entries.add(new Entry("unjank_trace_name", SINGLE, trace.get().name()));
        trace.get().machine().facts().forEach((name, value) -> entries.add(new Entry(name, SINGLE, value)));
        trace.get()
                .recorder()
                .metadata()
                .forEach(entry -> entries.add(new Entry(entry.name(), MULTI, Long.toString(entry.value()))));
        return new NativeTable(arena, entries.size())
                .ints("id", row -> row)
                .strings("name", row -> entries.get(row).name)
                .strings("key_type", row -> entries.get(row).type)
                .longs("int_value", NULL_VALUE, row -> {
                    Entry entry = entries.get(row);
                    return entry.isNumber() ? number(entry.value) : NULL_VALUE;
                })
                .strings("str_value", row -> entries.get(row).isNumber() ? null : entries.get(row).value)
                .ints("machine_id", -1, row -> isOfMachine(entries.get(row).name) ? 0 : -1)
                .ints(
                        "trace_id",
                        -1,
                        row -> OF_TRACE.matcher(entries.get(row).name).matches() ? 0 : -1);
    }

    private static boolean isOfMachine(String name) {
        return !OF_TRACE.matcher(name).matches() || OF_BOTH.matcher(name).matches();
    }

    private NativeTable machine(Arena arena) {
        Map<String, String> facts = trace.get().machine().facts();
        return new NativeTable(arena, 1)
                .ints("id", _ -> 0)
                .ints("raw_id", _ -> 0)
                .strings("sysname", _ -> facts.get("system_name"))
                .strings("release", _ -> facts.get("system_release"))
                .strings("version", _ -> facts.get("system_version"))
                .strings("arch", _ -> facts.get("system_machine"))
                .longs("num_cpus", NULL_VALUE, _ -> number(facts.get("num_cpus")))
                .strings("android_build_fingerprint", _ -> facts.get("android_build_fingerprint"))
                .strings("android_device_manufacturer", _ -> facts.get("android_device_manufacturer"))
                .longs("android_sdk_version", NULL_VALUE, _ -> number(facts.get("android_sdk_version")))
                .longs("system_ram_bytes", NULL_VALUE, _ -> number(facts.get("system_ram_bytes")))
                .longs("system_ram_gb", NULL_VALUE, _ -> number(facts.get("system_ram_gb")))
                .ints("label_index", _ -> 0);
    }

    private static long number(@Nullable String value) {
        try {
            return value == null ? NULL_VALUE : Long.parseLong(value);
        } catch (NumberFormatException _) {
            return NULL_VALUE;
        }
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
