package dev.unjank.query.tables;

import static dev.unjank.query.load.TableDefinition.table;
import static dev.unjank.query.load.TableDefinition.view;

import dev.unjank.query.load.TableDefinition;
import java.util.List;

/** Tables that only trace processor's pass over the file fills: kernel events, statistics, logs, clocks and machines. */
final class SystemTables {
    private static final String FTRACE =
            "id INT, ts INT, name TEXT, cpu INT, utid INT, arg_set_id INT, common_flags INT, ucpu INT";

    private final ProcessorSource source;

    SystemTables(ProcessorSource source) {
        this.source = source;
    }

    List<TableDefinition> definitions() {
        return List.of(
                of(
                        "spurious_sched_wakeup",
                        "id INT, ts INT, thread_state_id INT, irq_context INT, utid INT, waker_utid INT"),
                of("ftrace_event", FTRACE),
                view("raw", FTRACE, "SELECT * FROM ftrace_event"),
                of("android_logs", "id INT, ts INT, utid INT, prio INT, tag TEXT, msg TEXT"),
                of(
                        "clock_snapshot",
                        "id INT, ts INT, clock_id INT, clock_name TEXT, clock_value INT, snapshot_id INT, machine_id INT"),
                of(
                        "machine",
                        "id INT, raw_id INT, name TEXT, sysname TEXT, release TEXT, version TEXT, arch TEXT, num_cpus INT,"
                                + " android_build_fingerprint TEXT, android_device_manufacturer TEXT,"
                                + " android_sdk_version INT, system_ram_bytes INT, system_ram_gb INT, label_index INT"),
                of(
                        "stats",
                        "id INT, name TEXT, key INT, idx INT, severity TEXT, source TEXT, value INT, description TEXT,"
                                + " machine_id INT, trace_id INT"),
                of(
                        "gpu",
                        "id INT, ugpu INT, gpu INT, name TEXT, vendor TEXT, model TEXT, architecture TEXT, uuid TEXT,"
                                + " pci_bdf TEXT, machine_id INT, arg_set_id INT"),
                of(
                        "frame_slice",
                        "id INT, ts INT, dur INT, track_id INT, category TEXT, name TEXT, depth INT, parent_id INT,"
                                + " arg_set_id INT, layer_name TEXT, frame_number INT, queue_to_acquire_time INT,"
                                + " acquire_to_latch_time INT, latch_to_present_time INT"));
    }

    private TableDefinition of(String name, String columns) {
        return table(name, columns, source.rows(name));
    }
}
