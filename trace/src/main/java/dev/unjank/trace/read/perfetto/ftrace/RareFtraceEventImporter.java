package dev.unjank.trace.read.perfetto.ftrace;

import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.model.Counters;
import dev.unjank.trace.model.FenceStage;
import dev.unjank.trace.proto.FtraceFields.CpuFrequency;
import dev.unjank.trace.proto.FtraceFields.DmaFence;
import dev.unjank.trace.proto.FtraceFields.FtraceEvent;
import dev.unjank.trace.proto.FtraceFields.SchedPiSetprio;
import dev.unjank.trace.proto.FtraceFields.SysEnter;
import dev.unjank.trace.proto.FtraceFields.SysExit;
import dev.unjank.trace.proto.ProtoReader;

/** Imports rare kernel events: system calls, GPU fences, priority inheritance, CPU frequencies. */
final class RareFtraceEventImporter {
    private final TraceBuilder builder;
    private final int frequency;

    RareFtraceEventImporter(TraceBuilder builder) {
        this.builder = builder;
        frequency = builder.intern(Counters.CPU_FREQUENCY);
    }

    /** Imports an event if it is one of them; otherwise returns false. */
    boolean read(int kind, long ts, int tid, ProtoReader body) {
        switch (kind) {
            case FtraceEvent.SYS_ENTER -> enter(ts, tid, body);
            case FtraceEvent.SYS_EXIT -> exit(ts, tid, body);
            case FtraceEvent.SCHED_PI_SETPRIO -> inheritedPriority(ts, body);
            case FtraceEvent.CPU_FREQUENCY -> cpuFrequency(ts, body);
            case FtraceEvent.DMA_FENCE_INIT -> fence(ts, FenceStage.MADE, body);
            case FtraceEvent.DMA_FENCE_EMIT -> fence(ts, FenceStage.EMITTED, body);
            case FtraceEvent.DMA_FENCE_SIGNALED -> fence(ts, FenceStage.SIGNALED, body);
            default -> {
                return false;
            }
        }
        return true;
    }

    private void enter(long ts, int tid, ProtoReader body) {
        long number = -1;
        long first = 0;
        long second = 0;
        int args = 0;
        while (body.next()) {
            if (body.field() == SysEnter.ID) {
                number = body.value();
            } else if (body.field() == SysEnter.ARGS && !body.isBytes()) {
                long value = body.value();
                first = args == 0 ? value : first;
                second = args == 1 ? value : second;
                args++;
            }
        }
        builder.rareKernel().systemCall(ts, tid, number, (int) second, first);
    }

    private void exit(long ts, int tid, ProtoReader body) {
        long number = -1;
        long result = 0;
        while (body.next()) {
            switch (body.field()) {
                case SysExit.ID -> number = body.value();
                case SysExit.RET -> result = body.value();
                default -> {}
            }
        }
        builder.rareKernel().systemCallReturns(ts, tid, number, result);
    }

    private void inheritedPriority(long ts, ProtoReader body) {
        int tid = 0;
        int from = 0;
        int to = 0;
        while (body.next()) {
            switch (body.field()) {
                case SchedPiSetprio.PID -> tid = body.intValue();
                case SchedPiSetprio.OLDPRIO -> from = body.intValue();
                case SchedPiSetprio.NEWPRIO -> to = body.intValue();
                default -> {}
            }
        }
        builder.rareKernel().inheritedPriority(ts, tid, from, to);
    }

    private void cpuFrequency(long ts, ProtoReader body) {
        int cpu = 0;
        long kilohertz = 0;
        while (body.next()) {
            switch (body.field()) {
                case CpuFrequency.CPU_ID -> cpu = body.intValue();
                case CpuFrequency.STATE -> kilohertz = body.value();
                default -> {}
            }
        }
        builder.rareKernel().cpuCounter(ts, cpu, frequency, kilohertz);
    }

    private void fence(long ts, FenceStage stage, ProtoReader body) {
        int context = 0;
        long number = 0;
        int timeline = -1;
        while (body.next()) {
            switch (body.field()) {
                case DmaFence.CONTEXT -> context = body.intValue();
                case DmaFence.SEQNO -> number = body.value();
                case DmaFence.TIMELINE -> timeline = builder.intern(body.bytes(), body.from(), body.length());
                default -> {}
            }
        }
        builder.rareKernel().fence(ts, stage, context, timeline, number);
    }
}
