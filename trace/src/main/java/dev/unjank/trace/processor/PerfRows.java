package dev.unjank.trace.processor;

import static dev.unjank.trace.processor.ProcessorTable.NULL;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Samples of a profiler with their call stacks. */
final class PerfRows {
    private static final String[] MODES = {"unknown", "kernel", "user", "hypervisor", "guest_kernel", "guest_user"};

    private final ProcessorTable samples = new ProcessorTable(
            "perf_sample",
            "id INT, ts INT, utid INT, cpu INT, cpu_mode TEXT, callsite_id INT, unwind_error TEXT, perf_session_id INT");
    private final ProcessorTable callsites =
            new ProcessorTable("stack_profile_callsite", "id INT, depth INT, parent_id INT, frame_id INT");
    private final ProcessorTable frames = new ProcessorTable(
            "stack_profile_frame",
            "id INT, name TEXT, mapping INT, rel_pc INT, symbol_set_id INT, deobfuscated_name TEXT, type TEXT");
    private final ProcessorTable mappings = new ProcessorTable(
            "stack_profile_mapping",
            "id INT, build_id TEXT, exact_offset INT, start_offset INT, start INT, end INT, load_bias INT, name TEXT");
    private final ProcessorContext context;
    private final Map<List<Long>, Integer> rows = new HashMap<>();

    PerfRows(ProcessorContext context) {
        this.context = context;
    }

    void sample(long ts, ProtoFields sample, PacketSequence.Generation generation) {
        if (sample.has(17) || sample.has(18) || !sample.has(3)) {
            return;
        }
        int utid = context.processes.thread(sample.number(3), sample.number(2));
        long callsite = sample.has(4) ? callstack(sample.number(4), generation) : NULL;
        int cpu = (int) sample.number(1);
        context.useCpu(cpu);
        int mode = (int) sample.number(5);
        samples.add(
                samples.rows(),
                ts,
                utid,
                cpu,
                context.intern(mode < MODES.length ? MODES[mode] : MODES[0]),
                callsite,
                NULL,
                0);
    }

    private long callstack(long iid, PacketSequence.Generation generation) {
        ProtoFields.Bytes stack = generation.find(7, iid);
        if (stack == null) {
            return NULL;
        }
        long parent = NULL;
        int depth = 0;
        for (long frame : stack.fields().numbers(2)) {
            ProtoFields.Bytes entry = generation.find(6, frame);
            if (entry == null) {
                return NULL;
            }
            long frameId = frame(entry.fields(), generation);
            long above = parent;
            int level = depth++;
            parent = rows.computeIfAbsent(
                    List.of(0L, above, frameId), _ -> callsites.add(callsites.rows(), level, above, frameId));
        }
        return parent;
    }

    private long frame(ProtoFields frame, PacketSequence.Generation generation) {
        String name = generation.text(5, frame.number(2));
        long nameId = context.intern(name == null ? "" : name);
        ProtoFields.Bytes entry = generation.find(19, frame.number(3));
        long mapping = mapping(entry == null ? ProtoFields.empty() : entry.fields(), generation);
        long pc = frame.number(4);
        return rows.computeIfAbsent(
                List.of(1L, nameId, mapping, pc),
                _ -> frames.add(frames.rows(), nameId, mapping, pc, NULL, NULL, context.intern("native")));
    }

    private long mapping(ProtoFields mapping, PacketSequence.Generation generation) {
        StringBuilder path = new StringBuilder();
        for (long part : mapping.numbers(7)) {
            String text = generation.text(17, part);
            path.append('/').append(text == null ? "" : text);
        }
        String build = generation.text(16, mapping.number(2));
        long name = context.intern(path.toString());
        long buildId = context.intern(build == null ? "" : build);
        return rows.computeIfAbsent(
                List.of(2L, name, buildId, mapping.number(4), mapping.number(5)),
                _ -> mappings.add(
                        mappings.rows(),
                        buildId,
                        mapping.number(8),
                        mapping.number(3),
                        mapping.number(4),
                        mapping.number(5),
                        mapping.number(6),
                        name));
    }

    void addTo(ProcessorTables tables) {
        tables.add(samples);
        tables.add(callsites);
        tables.add(frames);
        tables.add(mappings);
    }
}
