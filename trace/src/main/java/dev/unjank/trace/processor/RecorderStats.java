package dev.unjank.trace.processor;

import java.util.List;
import java.util.Map;

/** Statistics that the recorder writes: of its buffers and of the kernel's buffer for each CPU. */
final class RecorderStats {
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
            "traced_patches_discarded");
    private static final Map<Integer, String> BUFFER = Map.ofEntries(
            Map.entry(1, "bytes_written"),
            Map.entry(2, "chunks_written"),
            Map.entry(3, "chunks_overwritten"),
            Map.entry(4, "write_wrap_count"),
            Map.entry(5, "patches_succeeded"),
            Map.entry(6, "patches_failed"),
            Map.entry(7, "readaheads_succeeded"),
            Map.entry(8, "readaheads_failed"),
            Map.entry(9, "abi_violations"),
            Map.entry(10, "chunks_rewritten"),
            Map.entry(11, "chunks_committed_out_of_order"),
            Map.entry(12, "buffer_size"),
            Map.entry(13, "bytes_overwritten"),
            Map.entry(14, "bytes_read"),
            Map.entry(15, "padding_bytes_written"),
            Map.entry(16, "padding_bytes_cleared"),
            Map.entry(17, "chunks_read"),
            Map.entry(18, "chunks_discarded"),
            Map.entry(19, "trace_writer_packet_loss"));
    private static final Map<Integer, String> CPU =
            Map.of(2, "entries", 3, "overrun", 4, "commit_overrun", 5, "bytes", 8, "dropped_events", 9, "read_events");
    private static final double NANOSECONDS = 1e9;

    private final Map<String, Long> stats;

    RecorderStats(ProcessorContext context) {
        stats = context.metadata.stats;
    }

    void recorder(ProtoFields packet) {
        for (int i = 2; i < SERVICE.size(); i++) {
            if (packet.has(i)) {
                stats.put(SERVICE.get(i), packet.number(i));
            }
        }
        int buffer = 0;
        for (ProtoFields.Bytes part : packet.all(1)) {
            ProtoFields fields = part.fields();
            int index = buffer++;
            BUFFER.forEach((field, name) -> stats.put("traced_buf_" + name + "[" + index + "]", fields.number(field)));
        }
    }

    void ftrace(ProtoFields packet) {
        boolean end = packet.number(1) == 2;
        String suffix = end ? "_end" : "_begin";
        for (ProtoFields.Bytes part : packet.all(2)) {
            ProtoFields cpu = part.fields();
            long index = cpu.number(1);
            CPU.forEach((field, name) -> {
                put(name, suffix, index, cpu.number(field));
                Long begin = stats.get("ftrace_cpu_" + name + "_begin[" + index + "]");
                if (end && begin != null) {
                    put(name, "_delta", index, cpu.number(field) - begin);
                }
            });
            put("oldest_event_ts", suffix, index, (long) (cpu.real(6) * NANOSECONDS));
            put("now_ts", suffix, index, (long) (cpu.real(7) * NANOSECONDS));
        }
    }

    private void put(String name, String suffix, long cpu, long value) {
        stats.put("ftrace_cpu_" + name + suffix + "[" + cpu + "]", value);
    }
}
