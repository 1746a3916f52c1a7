package dev.unjank.trace.processor;

import static dev.unjank.trace.processor.ProcessorTable.NULL;

import dev.unjank.trace.processor.MetadataRows.Scope;
import dev.unjank.trace.processor.ProcessRows.NameSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Packets about processes, the machine and the recorder. */
final class SystemRows {
    private static final String[] PROCESS_MEMORY = {
        "", "", "virt", "rss", "rss.anon", "rss.file", "rss.shmem", "swap", "locked", "rss.watermark"
    };
    private static final int OOM_SCORE = 10;
    private static final String[] CPU_TIMES = {
        "", "", "user_ns", "user_nice_ns", "system_mode_ns", "idle_ns", "io_wait_ns", "irq_ns", "softirq_ns"
    };
    private static final String[] MEMORY = {
        "Unknown",
        "MemTotal",
        "MemFree",
        "MemAvailable",
        "Buffers",
        "Cached",
        "SwapCached",
        "Active",
        "Inactive",
        "Active(anon)",
        "Inactive(anon)",
        "Active(file)",
        "Inactive(file)",
        "Unevictable",
        "Mlocked",
        "SwapTotal",
        "SwapFree",
        "Dirty",
        "Writeback",
        "AnonPages",
        "Mapped",
        "Shmem",
        "Slab",
        "SReclaimable",
        "SUnreclaim",
        "KernelStack",
        "PageTables",
        "CommitLimit",
        "Commited_AS",
        "VmallocTotal",
        "VmallocUsed",
        "VmallocChunk",
        "CmaTotal",
        "CmaFree",
        "Gpu",
        "Zram",
        "Misc",
        "ION_Heap",
        "ION_HeapPool"
    };
    private static final int KB = 1024;
    private static final int INFO = 4;
    private static final int PERCENT_FIELD = 2;

    private final ProcessorContext context;
    private final Map<Long, Rail> rails = new HashMap<>();

    private record Rail(String name, String subsystem) {}

    SystemRows(ProcessorContext context) {
        this.context = context;
    }

    void processTree(ProtoFields tree) {
        ProcessRows processes = context.processes;
        for (ProtoFields.Bytes part : tree.all(1)) {
            ProtoFields process = part.fields();
            List<ProtoFields.Bytes> words = process.all(3);
            long pid = process.number(1);
            long parent = process.number(2);
            int parentUpid = process.has(2) ? processes.process(parent) : -1;
            int upid = processes.process(pid);
            if (!words.isEmpty()) {
                processes.nameProcess(
                        upid, context.intern(withoutWork(words.getFirst().text().split(" ", 2)[0])));
                processes.commandLine(
                        upid,
                        context.intern(withoutWork(String.join(
                                " ", words.stream().map(ProtoFields.Bytes::text).toList()))));
            }
            if (parentUpid >= 0) {
                processes.parent(upid, parentUpid);
            }
            if (process.has(5)) {
                processes.user(upid, process.number(5));
            }
            if (process.has(7)) {
                processes.startIfUnknown(upid, process.number(7));
            }
        }
        for (ProtoFields.Bytes part : tree.all(2)) {
            ProtoFields thread = part.fields();
            int utid = processes.thread(thread.number(1), thread.number(3));
            if (thread.has(2)) {
                processes.nameThread(utid, context.intern(thread.text(2)), NameSource.PROCESS_TREE);
            }
        }
    }

    /** The name of a kernel's worker without what it works on at the moment. */
    static String withoutWork(String name) {
        if (!name.startsWith("kworker/")) {
            return name;
        }
        for (int i = 0; i < name.length(); i++) {
            if (name.charAt(i) == '-' || name.charAt(i) == '+') {
                return name.substring(0, i);
            }
        }
        return name;
    }

    void processStats(long ts, ProtoFields stats) {
        for (ProtoFields.Bytes part : stats.all(1)) {
            ProtoFields process = part.fields();
            int upid = context.processes.process(process.number(1));
            for (int field = 2; field < PROCESS_MEMORY.length; field++) {
                if (process.has(field)) {
                    int track = ProcessCounters.track(context, upid, "process_memory", PROCESS_MEMORY[field]);
                    context.count(ts, track, process.number(field) * (double) KB);
                }
            }
            if (process.has(OOM_SCORE)) {
                int track = ProcessCounters.track(context, upid, "oom_score_adj", "");
                context.count(ts, track, process.number(OOM_SCORE));
            }
        }
    }

    void systemStats(long ts, ProtoFields stats) {
        for (ProtoFields.Bytes part : stats.all(1)) {
            ProtoFields entry = part.fields();
            long key = entry.number(1);
            if (key > 0 && key < MEMORY.length) {
                counter(
                        ts,
                        "meminfo",
                        "meminfo_key",
                        MEMORY[(int) key],
                        MEMORY[(int) key],
                        "bytes",
                        entry.number(2) * (double) KB);
            }
        }
        for (ProtoFields.Bytes part : stats.all(3)) {
            ProtoFields cpu = part.fields();
            long number = cpu.number(1);
            context.useCpu((int) number);
            for (int field = 2; field < CPU_TIMES.length; field++) {
                int track = context.tracks.intern(
                        "cpustat",
                        context.args().integer("cpu", number).string("cpustat_key", CPU_TIMES[field]),
                        TrackRows.Details.counter(context.intern("cpu.times." + CPU_TIMES[field])));
                context.count(ts, track, cpu.number(field));
            }
        }
        if (stats.has(4)) {
            int track = context.tracks.intern(
                    "num_forks", context.args(), TrackRows.Details.counter(context.intern("num_forks")));
            context.count(ts, track, stats.number(4));
        }
    }

    private void counter(
            long ts, String type, String dimension, String key, String name, @Nullable String unit, double value) {
        int track = context.tracks.intern(
                type,
                context.args().string(dimension, key),
                new TrackRows.Details(TrackRows.Kind.COUNTERS, context.intern(name), unit, NULL, null));
        context.count(ts, track, value);
    }

    void battery(long ts, ProtoFields battery) {
        String[] keys = {
            "", "charge_uah", "capacity_pct", "current_ua", "current.avg_ua", "", "energy_counter_uwh", "voltage_uv"
        };
        int name = battery.has(5) ? context.intern(battery.text(5)) : -1;
        for (int field = 1; field < keys.length; field++) {
            if (battery.has(field) && !keys[field].isEmpty()) {
                double value = field == PERCENT_FIELD ? battery.real32(field) : battery.number(field);
                String prefix = name < 0 ? "batt." : "batt." + battery.text(5) + ".";
                int track = context.tracks.intern(
                        "battery_counter",
                        context.args().nullableString("battery_name", name).string("counter_name", keys[field]),
                        TrackRows.Details.counter(context.intern(prefix + keys[field])));
                context.count(ts, track, value);
            }
        }
    }

    void powerRails(long ts, ProtoFields packet) {
        for (ProtoFields.Bytes part : packet.all(1)) {
            ProtoFields rail = part.fields();
            rails.put(rail.number(1), new Rail(rail.text(2), rail.text(3)));
        }
        for (ProtoFields.Bytes part : packet.all(2)) {
            ProtoFields energy = part.fields();
            Rail rail = rails.get(energy.number(1));
            if (rail == null) {
                context.metadata.count("power_rail_unknown_index");
                continue;
            }
            ArgList source = context.args().string("raw_name", rail.name).string("subsystem_name", rail.subsystem);
            int track = context.tracks.intern(
                    "power_rails",
                    context.args().string("name", rail.name).integer("session_uuid", 0),
                    new TrackRows.Details(
                            TrackRows.Kind.COUNTERS,
                            context.intern("power." + rail.name + "_uws"),
                            null,
                            NULL,
                            source));
            context.count(ts, track, energy.number(3));
        }
    }

    void packages(ProtoFields list) {
        for (ProtoFields.Bytes part : list.all(1)) {
            ProtoFields entry = part.fields();
            context.packages.add(
                    context.packages.rows(),
                    context.intern(entry.text(1)),
                    entry.number(2),
                    entry.number(3),
                    entry.number(4),
                    entry.number(5));
        }
    }

    void log(long ts, ProtoFields event) {
        long pid = event.number(2);
        long tid = event.number(3);
        int utid = tid == 0 ? 0 : context.processes.thread(tid == 0 ? pid : tid, pid);
        StringBuilder message = new StringBuilder(event.text(8));
        for (ProtoFields.Bytes part : event.all(9)) {
            ProtoFields arg = part.fields();
            message.append(' ').append(arg.text(1)).append('=');
            message.append(
                    arg.has(2)
                            ? Long.toString(arg.number(2))
                            : arg.has(3) ? "" + arg.real32(3) : '"' + arg.text(4) + '"');
        }
        context.logs.add(
                context.logs.rows(),
                ts,
                utid,
                event.number(7, INFO),
                event.has(6) ? context.intern(event.text(6)) : NULL,
                context.intern(message.toString()));
    }

    void systemInfo(ProtoFields info) {
        MetadataRows metadata = context.metadata;
        ProtoFields names = info.message(1);
        if (names != null) {
            metadata.text("system_name", Scope.MACHINE, names.text(1));
            metadata.text("system_version", Scope.MACHINE, names.text(2));
            metadata.text("system_release", Scope.MACHINE, names.text(3));
            metadata.text("system_machine", Scope.MACHINE, names.text(4));
        }
        number(info, 7, "timezone_off_mins");
        text(info, 2, "android_build_fingerprint");
        if (info.has(2)) {
            String[] parts = info.text(2).split("/", -1);
            if (parts.length > 4) {
                metadata.text("android_incremental_build", Scope.MACHINE, parts[4].split(":", -1)[0]);
            }
        }
        text(info, 14, "android_device_manufacturer");
        number(info, 5, "android_sdk_version");
        text(info, 4, "tracing_service_version");
        text(info, 9, "android_soc_model");
        text(info, 15, "android_guest_soc_model");
        text(info, 10, "android_hardware_revision");
        text(info, 11, "android_storage_model");
        text(info, 12, "android_ram_model");
        text(info, 13, "android_serial_console");
        number(info, 16, "system_ram_bytes");
        if (info.number(8) > 0) {
            cpus = (int) info.number(8);
        }
    }

    /** The number of CPUs of the machine, 0 if unknown. */
    int cpus;

    private void number(ProtoFields info, int field, String name) {
        if (info.has(field)) {
            context.metadata.number(name, Scope.MACHINE, info.number(field));
        }
    }

    private void text(ProtoFields info, int field, String name) {
        if (info.has(field)) {
            context.metadata.text(name, Scope.MACHINE, info.text(field));
        }
    }

    void cpuInfo(ProtoFields info) {
        int number = 0;
        for (ProtoFields.Bytes part : info.all(1)) {
            ProtoFields cpu = part.fields();
            int row = context.useCpu(number++);
            if (cpu.has(1)) {
                context.cpus.set(row, 4, context.intern(cpu.text(1)));
            }
            if (cpu.has(3)) {
                context.cpus.set(row, 6, cpu.number(3));
            }
        }
    }

    void serviceEvent(long ts, ProtoFields event) {
        MetadataRows metadata = context.metadata;
        if (event.has(2)) {
            metadata.number("tracing_started_ns", Scope.MACHINE_AND_TRACE, ts);
        } else if (event.has(5)) {
            metadata.number("tracing_disabled_ns", Scope.MACHINE_AND_TRACE, ts);
        } else if (event.has(1)) {
            metadata.number("all_data_source_started_ns", Scope.MACHINE_AND_TRACE, ts);
        } else if (event.has(3)) {
            metadata.append("all_data_source_flushed_ns", Scope.MACHINE_AND_TRACE, ts, null);
        }
    }
}
