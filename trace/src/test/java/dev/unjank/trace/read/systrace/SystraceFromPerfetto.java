package dev.unjank.trace.read.systrace;

import dev.unjank.scene.SystraceWriter;
import dev.unjank.trace.proto.FtraceFields;
import dev.unjank.trace.proto.FtraceFields.FtraceEvent;
import dev.unjank.trace.proto.FtraceFields.FtraceEventBundle;
import dev.unjank.trace.proto.FtraceFields.SchedBlockedReason;
import dev.unjank.trace.proto.FtraceFields.SchedSwitch;
import dev.unjank.trace.proto.FtraceFields.SchedWaking;
import dev.unjank.trace.proto.PacketFields;
import dev.unjank.trace.proto.PacketFields.ProcessTree;
import dev.unjank.trace.proto.PacketFields.ProcessTreeProcess;
import dev.unjank.trace.proto.PacketFields.ProcessTreeThread;
import dev.unjank.trace.proto.PacketFields.TracePacket;
import dev.unjank.trace.proto.ProtoReader;
import dev.unjank.trace.read.perfetto.ftrace.KernelSymbols;
import dev.unjank.trace.write.Task;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Converts a plain Perfetto trace of a scene to systrace text. */
public final class SystraceFromPerfetto {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final SystraceWriter writer = new SystraceWriter(out);
    private final KernelSymbols symbols = new KernelSymbols();

    private SystraceFromPerfetto() throws IOException {}

    public static byte[] of(byte[] perfetto) throws IOException {
        SystraceFromPerfetto texts = new SystraceFromPerfetto();
        ProtoReader trace = new ProtoReader();
        trace.reset(perfetto, 0, perfetto.length);
        while (trace.next()) {
            ProtoReader packet = in(trace);
            while (packet.next()) {
                switch (packet.field()) {
                    case TracePacket.PROCESS_TREE -> texts.processes(in(packet));
                    case TracePacket.INTERNED_DATA -> texts.interned(in(packet));
                    case TracePacket.FTRACE_EVENTS -> texts.bundle(in(packet));
                    default -> {}
                }
            }
        }
        return texts.out.toByteArray();
    }

    private static ProtoReader in(ProtoReader outer) {
        ProtoReader inner = new ProtoReader();
        inner.resetToField(outer);
        return inner;
    }

    private static String text(ProtoReader reader) {
        return new String(reader.bytes(), reader.from(), reader.length(), StandardCharsets.UTF_8);
    }

    private void processes(ProtoReader tree) {
        while (tree.next()) {
            ProtoReader part = in(tree);
            boolean process = tree.field() == ProcessTree.PROCESSES;
            int tid = 0;
            int tgid = 0;
            String name = "";
            while (part.next()) {
                int field = part.field();
                if (field == ProcessTreeProcess.PID || (!process && field == ProcessTreeThread.TID)) {
                    tid = part.intValue();
                } else if (!process && field == ProcessTreeThread.TGID) {
                    tgid = part.intValue();
                } else if (part.isBytes()) {
                    name = text(part);
                }
            }
            writer.thread(tid, process ? tid : tgid, name);
        }
    }

    private void interned(ProtoReader data) {
        while (data.next()) {
            if (data.field() == PacketFields.InternedData.KERNEL_SYMBOLS) {
                ProtoReader symbol = in(data);
                long iid = 0;
                while (symbol.next()) {
                    if (symbol.isBytes()) {
                        symbols.add(iid, symbol.bytes(), symbol.from(), symbol.to());
                    } else {
                        iid = symbol.value();
                    }
                }
            }
        }
    }

    private void bundle(ProtoReader bundle) throws IOException {
        int cpu = 0;
        while (bundle.next()) {
            if (bundle.field() == FtraceEventBundle.CPU) {
                cpu = bundle.intValue();
            } else if (bundle.field() == FtraceEventBundle.EVENT) {
                event(cpu, in(bundle));
            }
        }
    }

    private void event(int cpu, ProtoReader event) throws IOException {
        long ts = 0;
        int tid = 0;
        int flags = 0;
        while (event.next()) {
            switch (event.field()) {
                case FtraceEvent.TIMESTAMP -> ts = event.value();
                case FtraceEvent.PID -> tid = event.intValue();
                case FtraceEvent.COMMON_FLAGS -> flags = event.intValue();
                default -> body(cpu, ts, tid, flags != 0, event.field(), in(event));
            }
        }
    }

    private void body(int cpu, long ts, int tid, boolean irq, int kind, ProtoReader body) throws IOException {
        String[] texts = new String[16];
        long[] numbers = new long[16];
        while (body.next()) {
            if (body.isBytes()) {
                texts[body.field()] = text(body);
            } else {
                numbers[body.field()] = body.value();
            }
        }
        switch (kind) {
            case FtraceEvent.SCHED_SWITCH ->
                writer.schedSwitch(
                        ts,
                        cpu,
                        task(
                                numbers[SchedSwitch.PREV_PID],
                                texts[SchedSwitch.PREV_COMM],
                                numbers[SchedSwitch.PREV_PRIO]),
                        state(numbers[SchedSwitch.PREV_STATE]),
                        task(
                                numbers[SchedSwitch.NEXT_PID],
                                texts[SchedSwitch.NEXT_COMM],
                                numbers[SchedSwitch.NEXT_PRIO]));
            case FtraceEvent.SCHED_WAKING ->
                writer.schedWaking(
                        ts,
                        cpu,
                        tid,
                        irq,
                        task(numbers[SchedWaking.PID], texts[SchedWaking.COMM], numbers[SchedWaking.PRIO]),
                        (int) numbers[SchedWaking.TARGET_CPU]);
            case FtraceEvent.SCHED_BLOCKED_REASON -> {
                byte[] name = symbols.name(numbers[SchedBlockedReason.CALLER], symbols.size());
                writer.schedBlockedReason(
                        ts,
                        cpu,
                        tid,
                        (int) numbers[SchedBlockedReason.PID],
                        numbers[SchedBlockedReason.IO_WAIT] != 0,
                        name == null ? "unknown" : new String(name, StandardCharsets.UTF_8));
            }
            case FtraceEvent.PRINT -> writer.mark(ts, cpu, tid, texts[FtraceFields.Print.BUF].strip());
            default -> throw new IllegalArgumentException("a scene with event " + kind);
        }
    }

    private static Task task(long tid, String comm, long priority) {
        return new Task((int) tid, comm, (int) priority);
    }

    private static String state(long bits) {
        return switch ((int) bits) {
            case 0 -> "R";
            case 1 -> "S";
            case 2 -> "D";
            case 0x100 -> "R+";
            default -> throw new IllegalArgumentException("a scene with state " + bits);
        };
    }
}
