package dev.unjank.trace.processor;

import static dev.unjank.trace.processor.ProcessorTable.NULL;

import dev.unjank.trace.processor.MetadataRows.Scope;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The tables of one trace as trace processor builds them. */
public final class ProcessorTables {
    /** The column of the table of tracks with the thread. */
    public static final int TRACK_UTID = 11;

    private static final int MONOTONIC = 3;

    private final ProcessorContext context;
    private final Map<String, ProcessorTable> tables = new LinkedHashMap<>();

    private ProcessorTables(ProcessorContext context) {
        this.context = context;
    }

    /**
     * Reads a Perfetto trace.
     *
     * @param trace its bytes
     * @return its tables
     */
    public static ProcessorTables perfetto(byte[] trace) {
        ProcessorContext context = new ProcessorContext();
        MetadataRows metadata = context.metadata;
        metadata.text("trace_type", Scope.TRACE, "proto");
        EventQueues queues = new EventQueues();
        TrackEvents trackEvents = new TrackEvents(context);
        SystemRows system = new SystemRows(context);
        ClockRows clocks = new ClockRows(context);
        context.processes.idleProcessHasPidZero();
        new ProtoTokenizer(context, queues, trackEvents, system, clocks).read(trace, 0, trace.length);
        metadata.number("trace_time_clock_id", Scope.GLOBAL, clocks.traceClock());
        FtraceRows ftrace = new FtraceRows(context);
        FrameRows frames = new FrameRows(context);
        GraphicsFrameRows graphics = new GraphicsFrameRows(context);
        PerfRows perf = new PerfRows(context);
        queues.drain((ts, content, from, to) -> {
            switch (content) {
                case ProtoTokenizer.KernelEvent event ->
                    ftrace.event(
                            event.cpu(),
                            ts,
                            ProtoFields.of(event.bytes(), from, to),
                            number -> event.generation().text(26, number));
                case ProtoTokenizer.Compact event -> {
                    if (!ftrace.drops(ts)) {
                        compact(ftrace, event.cpu(), ts, event);
                    }
                }
                case ProtoTokenizer.Packet packet -> packet(packet, ts, system, ftrace, frames, graphics, perf);
                case ProtoTokenizer.LogEvent event -> system.log(ts, event.fields());
                case TrackEvents.Event event -> trackEvents.event(ts, event);
                case TrackEvents.Described descriptor -> trackEvents.described(descriptor);
                default -> throw new IllegalStateException();
            }
        });
        metadata.number("trace_size_bytes", Scope.TRACE, trace.length);
        ProcessorTables tables = new ProcessorTables(context);
        tables.finish(system.cpus);
        tables.add(frames.expected);
        tables.add(frames.actual);
        tables.add(graphics.table);
        graphics.finish();
        frames.finish();
        perf.addTo(tables);
        return tables;
    }

    /**
     * Reads systrace.
     *
     * @param text its lines
     * @param size the size of the file in bytes
     * @return its tables
     */
    public static ProcessorTables systrace(String text, long size) {
        ProcessorContext context = new ProcessorContext();
        context.metadata.text("trace_type", Scope.TRACE, "systrace");
        context.metadata.number("trace_time_clock_id", Scope.GLOBAL, MONOTONIC);
        context.processes.idleProcessHasPidZero();
        new SystraceRows(context).read(text);
        context.metadata.number("trace_size_bytes", Scope.TRACE, size);
        ProcessorTables tables = new ProcessorTables(context);
        tables.finish(0);
        return tables;
    }

    private static void compact(FtraceRows ftrace, int cpu, long ts, ProtoTokenizer.Compact event) {
        boolean onlyRaw = ftrace.isOnlyRaw(ts);
        if (event.flags() == ProtoTokenizer.SWITCH) {
            ftrace.sched()
                    .compactSwitch(cpu, ts, event.stateOrCpu(), event.tid(), event.priority(), event.name(), onlyRaw);
        } else {
            ftrace.sched()
                    .compactWaking(
                            cpu,
                            ts,
                            event.tid(),
                            event.stateOrCpu(),
                            event.priority(),
                            event.name(),
                            event.flags(),
                            onlyRaw);
        }
    }

    private static void packet(
            ProtoTokenizer.Packet packet,
            long ts,
            SystemRows system,
            FtraceRows ftrace,
            FrameRows frames,
            GraphicsFrameRows graphics,
            PerfRows perf) {
        ProtoFields fields = packet.fields();
        for (int i = 0; i < fields.size(); i++) {
            ProtoFields.Bytes part = fields.bytesAt(i);
            if (part == null) {
                continue;
            }
            switch (fields.numberAt(i)) {
                case 2 -> system.processTree(part.fields());
                case 7 -> system.systemStats(ts, part.fields());
                case 9 -> system.processStats(ts, part.fields());
                case 38 -> system.battery(ts, part.fields());
                case 40 -> system.powerRails(ts, part.fields());
                case 47 -> system.packages(part.fields());
                case 57 -> graphics.event(ts, part.fields());
                case 66 -> perf.sample(ts, part.fields(), packet.generation());
                case 67 -> system.cpuInfo(part.fields());
                case 71 -> {
                    ProtoFields gpu = part.fields();
                    ftrace.counters().gpuMemory(ts, gpu.number(1), gpu.number(2), gpu.number(3));
                }
                case 76 -> frames.event(ts, part.fields());
                default -> {}
            }
        }
    }

    private void finish(int cpuCount) {
        context.processCounters.finish();
        context.slices.finish();
        context.processes.finish(context.args);
        add(context.args.table);
        add(context.tracks.table);
        add(context.processes.threads);
        add(context.processes.processes);
        add(context.sched.runs);
        add(context.sched.states);
        add(context.sched.spurious);
        add(context.slices.table);
        add(context.counters);
        add(context.flows);
        add(context.ftraceEvents);
        add(context.logs);
        add(context.clockSnapshots);
        add(context.packages);
        add(context.cpus);
        add(context.gpus);
        add(context.metadata.table);
        add(machine(cpuCount));
        add(stats());
        add(bounds());
    }

    void add(ProcessorTable table) {
        tables.put(table.name(), table);
    }

    private ProcessorTable machine(int cpuCount) {
        ProcessorTable table = new ProcessorTable(
                "machine",
                "id INT, raw_id INT, name TEXT, sysname TEXT, release TEXT, version TEXT, arch TEXT, num_cpus INT,"
                        + " android_build_fingerprint TEXT, android_device_manufacturer TEXT, android_sdk_version INT,"
                        + " system_ram_bytes INT, system_ram_gb INT, label_index INT");
        table.add(
                0,
                0,
                NULL,
                text("system_name"),
                text("system_release"),
                text("system_version"),
                text("system_machine"),
                cpuCount == 0 ? NULL : cpuCount,
                text("android_build_fingerprint"),
                text("android_device_manufacturer"),
                context.metadata.number("android_sdk_version"),
                context.metadata.number("system_ram_bytes"),
                NULL,
                0);
        return table;
    }

    private long text(String name) {
        String value = context.metadata.text(name);
        return value == null ? NULL : context.intern(value);
    }

    private ProcessorTable stats() {
        ProcessorTable table = new ProcessorTable(
                "stats",
                "id INT, name TEXT, key INT, idx INT, severity TEXT, source TEXT, value INT, description TEXT,"
                        + " machine_id INT, trace_id INT");
        Map<String, Long> counts = new LinkedHashMap<>(context.metadata.stats);
        for (StatNames.Stat stat : StatNames.all()) {
            if (!stat.indexed()) {
                Long value = counts.remove(stat.name());
                addStat(table, stat, NULL, value == null ? 0 : value);
            }
        }
        counts.forEach((key, value) -> {
            int bracket = key.indexOf('[');
            String name = bracket < 0 ? key : key.substring(0, bracket);
            long index = bracket < 0 ? NULL : Long.parseLong(key.substring(bracket + 1, key.length() - 1));
            addStat(table, StatNames.of(name), index, value);
        });
        return table;
    }

    private void addStat(ProcessorTable table, StatNames.Stat stat, long index, long value) {
        table.add(
                table.rows(),
                context.intern(stat.name()),
                stat.key() < 0 ? NULL : stat.key(),
                index,
                context.intern(stat.severity()),
                context.intern(stat.source()),
                value,
                context.intern(""),
                stat.global() ? NULL : 0,
                stat.global() ? NULL : 0);
    }

    /** The times of the first and the last event. */
    private ProcessorTable bounds() {
        ProcessorTable table = new ProcessorTable("trace_bounds", "start_ts INT, end_ts INT");
        long start = Long.MAX_VALUE;
        long end = 0;
        for (ProcessorTable source : new ProcessorTable[] {
            context.ftraceEvents, context.sched.runs, context.counters, context.slices.table, context.logs
        }) {
            boolean hasDuration = source == context.slices.table || source == context.sched.runs;
            for (int row = 0; row < source.rows(); row++) {
                long ts = source.get(row, 1);
                start = Math.min(start, ts);
                end = Math.max(end, hasDuration ? ts + Math.max(0, source.get(row, 2)) : ts);
            }
        }
        boolean empty = start == Long.MAX_VALUE;
        table.add(empty ? 0 : start, empty ? 0 : end == start ? end + 1 : end);
        return table;
    }

    /**
     * {@return a table}
     *
     * @param name its name; "_track" has the tracks of slices and counters
     */
    public @Nullable ProcessorTable table(String name) {
        return tables.get(name);
    }

    /**
     * {@return the number of strings}
     */
    public int strings() {
        return context.strings.size();
    }

    /**
     * {@return a string}
     *
     * @param id the value in a column of strings
     */
    public String string(int id) {
        return context.strings.decode(id);
    }
}
