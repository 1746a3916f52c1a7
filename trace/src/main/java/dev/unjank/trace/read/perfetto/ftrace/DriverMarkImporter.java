package dev.unjank.trace.read.perfetto.ftrace;

import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.proto.FtraceFields.FtraceEvent;
import dev.unjank.trace.proto.FtraceFields.Zero;
import dev.unjank.trace.proto.ProtoReader;

/**
 * Imports marks of kernel drivers. Each vendor has its own event for what programs write as atrace marks: the letter
 * B, E, I or C (older ones: only whether a slice begins), a name, a process and a value.
 */
final class DriverMarkImporter {
    /** The field numbers of each event: process, name, letter, begins, value; 0 for none. */
    private enum Layout {
        MDSS(1, 2, 0, 3, 0),
        SDE(1, 2, 3, 5, 4),
        DPU(1, 4, 5, 0, 6),
        MALI(2, 1, 3, 0, 4),
        LWIS(3, 4, 2, 0, 5),
        SAMSUNG(1, 2, 4, 3, 5);

        private final int pid;
        private final int name;
        private final int letter;
        private final int begins;
        private final int value;

        Layout(int pid, int name, int letter, int begins, int value) {
            this.pid = pid;
            this.name = name;
            this.letter = letter;
            this.begins = begins;
            this.value = value;
        }
    }

    private final TraceBuilder builder;

    DriverMarkImporter(TraceBuilder builder) {
        this.builder = builder;
    }

    /** Imports an event if it is such a mark; otherwise returns false. */
    boolean read(int kind, long ts, int tid, ProtoReader body) {
        switch (kind) {
            case FtraceEvent.ZERO -> zero(ts, tid, body);
            case FtraceEvent.TRACING_MARK_WRITE -> mark(Layout.MDSS, ts, tid, body);
            case FtraceEvent.SDE_TRACING_MARK_WRITE -> mark(Layout.SDE, ts, tid, body);
            case FtraceEvent.DPU_TRACING_MARK_WRITE, FtraceEvent.G2D_TRACING_MARK_WRITE ->
                mark(Layout.DPU, ts, tid, body);
            case FtraceEvent.MALI_TRACING_MARK_WRITE -> mark(Layout.MALI, ts, tid, body);
            case FtraceEvent.LWIS_TRACING_MARK_WRITE -> mark(Layout.LWIS, ts, tid, body);
            case FtraceEvent.SAMSUNG_TRACING_MARK_WRITE -> mark(Layout.SAMSUNG, ts, tid, body);
            default -> {
                return false;
            }
        }
        return true;
    }

    private void mark(Layout layout, long ts, int tid, ProtoReader body) {
        int pid = 0;
        int name = -1;
        int letter = 0;
        boolean begins = false;
        long value = 0;
        while (body.next()) {
            int field = body.field();
            if (field == layout.pid) {
                pid = body.intValue();
            } else if (field == layout.name) {
                name = builder.intern(body.bytes(), body.from(), body.length());
            } else if (field == layout.letter) {
                letter = body.intValue();
            } else if (field == layout.begins) {
                begins = body.boolValue();
            } else if (field == layout.value) {
                value = body.intValue();
            }
        }
        if (letter == 0) {
            letter = begins ? 'B' : 'E';
        }
        mark(letter, ts, tid, pid, name, value);
    }

    private void zero(long ts, int tid, ProtoReader body) {
        int flag = 0;
        int pid = 0;
        int name = -1;
        long value = 0;
        while (body.next()) {
            switch (body.field()) {
                case Zero.FLAG -> flag = body.intValue();
                case Zero.NAME -> name = builder.intern(body.bytes(), body.from(), body.length());
                case Zero.PID -> pid = body.intValue();
                case Zero.VALUE -> value = body.value();
                default -> {}
            }
        }
        int letter =
                (flag & Zero.BEGIN) != 0 ? 'B' : (flag & Zero.END) != 0 ? 'E' : (flag & Zero.COUNTER) != 0 ? 'C' : 0;
        mark(letter, ts, tid, pid, name, value);
    }

    /**
     * The process may differ from the thread's: slices use the thread only; counters, which belong to processes, must
     * use it.
     */
    private void mark(int letter, long ts, int tid, int pid, int name, long value) {
        if (letter == 'E') {
            builder.program().end(ts, tid, 0);
        } else if (name >= 0) {
            switch (letter) {
                case 'B' -> builder.program().begin(ts, tid, 0, name);
                case 'I' -> builder.program().instant(ts, tid, 0, name);
                case 'C' -> builder.program().counter(ts, pid, name, value);
                default -> {}
            }
        }
    }
}
