package dev.unjank.trace.read.perfetto;

import dev.unjank.trace.build.RecorderSink;
import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.model.RecorderReport;
import dev.unjank.trace.proto.PacketFields.CpuInfo;
import dev.unjank.trace.proto.PacketFields.CpuInfoCpu;
import dev.unjank.trace.proto.PacketFields.TracePacket;
import dev.unjank.trace.proto.ProtoReader;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Imports what the recorder says about the recording: its counts, its milestones, its triggers, the CPUs. */
final class RecorderImporter {
    private static final int MAX_CPUS = 1 << 10;
    private static final int MAX_FREQUENCIES = 1 << 10;
    private static final int MAX_TEXT = 4096;
    private static final double NANOSECONDS = 1e9;

    // The fields of TraceStats, of its buffers and filter, and of the kernel's counts per CPU are numbered from 1; an
    // empty name is a field that is no count.

    private static final List<String> SERVICE = List.of(
            "",
            "",
            "traced_producers_connected",
            "traced_producers_seen",
            "traced_data_sources_registered",
            "traced_data_sources_seen",
            "traced_tracing_sessions",
            "traced_total_buffers",
            "traced_chunks_discarded",
            "traced_patches_discarded",
            "traced_flushes_requested");
    private static final int BUFFERS = 1;
    private static final List<String> BUFFER = List.of(
            "",
            "bytes_written",
            "chunks_written",
            "chunks_overwritten",
            "write_wrap_count",
            "patches_succeeded",
            "patches_failed",
            "readaheads_succeeded",
            "readaheads_failed",
            "abi_violations",
            "chunks_rewritten",
            "chunks_committed_out_of_order",
            "buffer_size",
            "bytes_overwritten",
            "bytes_read",
            "padding_bytes_written",
            "padding_bytes_cleared",
            "chunks_read",
            "chunks_discarded",
            "trace_writer_packet_loss");
    private static final int FILTER = 11;
    private static final List<String> FILTER_COUNTS = List.of(
            "",
            "filter_input_packets",
            "filter_input_bytes",
            "filter_output_bytes",
            "filter_errors",
            "filter_time_taken_ns");
    private static final int FILTERED_PER_BUFFER = 20;

    private static final int PHASE = 1;
    private static final int END_OF_TRACE = 2;
    private static final int CPU_STATS = 2;
    private static final int CPU = 1;
    private static final int OLDEST_EVENT_TS = 6;
    private static final int NOW_TS = 7;
    private static final List<String> CPU_COUNTS =
            List.of("", "", "entries", "overrun", "commit_overrun", "bytes", "", "", "dropped_events", "read_events");

    private static final int ALL_STARTED = 1;
    private static final int STARTED = 2;
    private static final int ALL_FLUSHED = 3;
    private static final int DISABLED = 5;
    private static final int TRIGGER_NAME = 1;

    private final TraceBuilder builder;
    private final RecorderSink recorder;
    private final ProtoReader message = new ProtoReader();
    private final ProtoReader part = new ProtoReader();

    /** The first trigger by time; the one of a cloned session takes precedence. */
    private @Nullable String trigger;

    private long triggerNs;

    RecorderImporter(TraceBuilder builder) {
        this.builder = builder;
        this.recorder = builder.recorder();
    }

    /** Imports a packet's current field if the recorder wrote it about the recording. */
    void read(int content, ProtoReader packet, long ts) {
        switch (content) {
            case TracePacket.TRACE_STATS -> service(packet);
            case TracePacket.FTRACE_STATS -> kernel(packet);
            case TracePacket.SERVICE_EVENT -> milestone(packet, ts);
            case TracePacket.TRIGGER -> trigger(packet, ts);
            case TracePacket.CLONE_SNAPSHOT_TRIGGER -> trigger(packet, Long.MIN_VALUE);
            case TracePacket.CPU_INFO -> cpus(packet);
            default -> {}
        }
    }

    void finish() {
        if (trigger != null) {
            builder.putMetadata("trace_trigger", trigger);
        }
    }

    private void service(ProtoReader packet) {
        int buffer = 0;
        message.resetToField(packet);
        while (message.next()) {
            switch (message.field()) {
                case BUFFERS -> buffer(buffer++);
                case FILTER -> filter();
                default -> count(SERVICE, "", message, -1);
            }
        }
    }

    private void buffer(int index) {
        BUFFER.stream()
                .filter(name -> !name.isEmpty())
                .forEach(name -> recorder.statistic("traced_buf_" + name, index, 0)); // a zero is not written
        part.resetToField(message);
        while (part.next()) {
            count(BUFFER, "traced_buf_", part, index);
        }
    }

    private void filter() {
        int buffer = 0;
        part.resetToField(message);
        while (part.next()) {
            if (part.field() == FILTERED_PER_BUFFER) {
                recorder.statistic("traced_buf_bytes_filtered_out", buffer++, part.value());
            } else {
                count(FILTER_COUNTS, "", part, -1);
            }
        }
    }

    private void count(List<String> names, String prefix, ProtoReader reader, int index) {
        if (reader.field() < names.size() && !names.get(reader.field()).isEmpty()) {
            recorder.statistic(prefix + names.get(reader.field()), index, reader.value());
        }
    }

    private void kernel(ProtoReader packet) {
        boolean isEnd = false;
        message.resetToField(packet);
        while (message.next()) {
            if (message.field() == PHASE) {
                isEnd = message.intValue() == END_OF_TRACE;
            }
        }
        message.resetToField(packet);
        while (message.next()) {
            if (message.field() == CPU_STATS) {
                kernelOfCpu(isEnd);
            }
        }
    }

    private void kernelOfCpu(boolean isEnd) {
        long[] counts = new long[CPU_COUNTS.size()];
        int cpu = 0;
        long oldestNs = 0;
        long nowNs = 0;
        part.resetToField(message);
        while (part.next()) {
            switch (part.field()) {
                case CPU -> cpu = part.intValue();
                case OLDEST_EVENT_TS -> oldestNs = (long) (Double.longBitsToDouble(part.value()) * NANOSECONDS);
                case NOW_TS -> nowNs = (long) (Double.longBitsToDouble(part.value()) * NANOSECONDS);
                default -> {
                    if (part.field() < counts.length) {
                        counts[part.field()] = part.value();
                    }
                }
            }
        }
        if (cpu < 0 || cpu >= MAX_CPUS) {
            return;
        }
        String when = isEnd ? "_end" : "_begin";
        for (int field = 0; field < counts.length; field++) {
            String name = "ftrace_cpu_" + CPU_COUNTS.get(field);
            if (!CPU_COUNTS.get(field).isEmpty()) {
                recorder.statistic(name + when, cpu, counts[field]);
                if (isEnd) {
                    recorder.statistic(name + "_delta", cpu, counts[field] - recorder.valueOf(name + "_begin", cpu));
                }
            }
        }
        recorder.statistic("ftrace_cpu_oldest_event_ts" + when, cpu, oldestNs);
        recorder.statistic("ftrace_cpu_now_ts" + when, cpu, nowNs);
    }

    private void milestone(ProtoReader packet, long ts) {
        message.resetToField(packet);
        while (message.next()) {
            switch (message.field()) {
                case STARTED -> builder.putMetadata("tracing_started_ns", Long.toString(ts));
                case ALL_STARTED -> builder.putMetadata("all_data_source_started_ns", Long.toString(ts));
                case ALL_FLUSHED -> recorder.metadata("all_data_source_flushed_ns", ts);
                case DISABLED -> builder.putMetadata("tracing_disabled_ns", Long.toString(ts));
                default -> {}
            }
        }
    }

    private void trigger(ProtoReader packet, long ts) {
        message.resetToField(packet);
        while (message.next()) {
            if (message.field() == TRIGGER_NAME && (trigger == null || ts < triggerNs)) {
                trigger = message.string(MAX_TEXT);
                triggerNs = ts;
            }
        }
    }

    private void cpus(ProtoReader packet) {
        List<RecorderReport.Cpu> cpus = new ArrayList<>();
        message.resetToField(packet);
        while (message.next()) {
            if (message.field() == CpuInfo.CPUS && cpus.size() < MAX_CPUS) {
                cpus.add(cpu());
            }
        }
        recorder.cpus(cpus);
    }

    private RecorderReport.Cpu cpu() {
        String processor = "";
        int capacity = 0;
        List<Integer> frequencies = new ArrayList<>();
        part.resetToField(message);
        while (part.next()) {
            switch (part.field()) {
                case CpuInfoCpu.PROCESSOR -> processor = part.string(MAX_TEXT);
                case CpuInfoCpu.FREQUENCIES -> {
                    if (frequencies.size() < MAX_FREQUENCIES) {
                        frequencies.add(part.intValue());
                    }
                }
                case CpuInfoCpu.CAPACITY -> capacity = part.intValue();
                default -> {}
            }
        }
        return new RecorderReport.Cpu(processor, capacity, frequencies);
    }
}
