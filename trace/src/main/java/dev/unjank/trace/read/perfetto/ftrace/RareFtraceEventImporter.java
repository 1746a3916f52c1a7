package dev.unjank.trace.read.perfetto.ftrace;

import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.model.Counters;
import dev.unjank.trace.model.FenceStage;
import dev.unjank.trace.proto.FtraceFields.BinderReturn;
import dev.unjank.trace.proto.FtraceFields.Clock;
import dev.unjank.trace.proto.FtraceFields.CpuFrequency;
import dev.unjank.trace.proto.FtraceFields.CpuFrequencyLimits;
import dev.unjank.trace.proto.FtraceFields.CpuIdle;
import dev.unjank.trace.proto.FtraceFields.DmaFence;
import dev.unjank.trace.proto.FtraceFields.FtraceEvent;
import dev.unjank.trace.proto.FtraceFields.SchedCpuUtilCfs;
import dev.unjank.trace.proto.FtraceFields.SchedPiSetprio;
import dev.unjank.trace.proto.FtraceFields.SysEnter;
import dev.unjank.trace.proto.FtraceFields.SysExit;
import dev.unjank.trace.proto.ProtoReader;
import dev.unjank.trace.read.common.MachineCounters;

/** Imports rare kernel events: system calls, GPU fences, priority inheritance, states of CPUs and clocks. */
final class RareFtraceEventImporter {
    /** The limit of characters in the name of a clock, for damaged traces. */
    private static final int MAX_CLOCK_NAME = 256;

    private final TraceBuilder builder;
    private final int frequency;
    private final int idle;
    private final MachineCounters counters;

    RareFtraceEventImporter(TraceBuilder builder) {
        this.builder = builder;
        frequency = builder.intern(Counters.CPU_FREQUENCY);
        idle = builder.intern(Counters.CPU_IDLE);
        counters = new MachineCounters(builder);
    }

    /** Imports an event if it is one of them; otherwise returns false. */
    boolean read(int kind, long ts, int tid, ProtoReader body) {
        switch (kind) {
            case FtraceEvent.SYS_ENTER -> enter(ts, tid, body);
            case FtraceEvent.SYS_EXIT -> exit(ts, tid, body);
            case FtraceEvent.SCHED_PI_SETPRIO -> inheritedPriority(ts, body);
            case FtraceEvent.CPU_FREQUENCY -> cpuFrequency(ts, body);
            case FtraceEvent.BINDER_RETURN -> builder.kernel().binderReturn(ts, tid, command(body));
            case FtraceEvent.CPU_IDLE -> cpuIdle(ts, body);
            case FtraceEvent.CPU_FREQUENCY_LIMITS -> frequencyLimits(ts, body);
            case FtraceEvent.SCHED_CPU_UTIL_CFS -> utilization(ts, body);
            case FtraceEvent.CLOCK_ENABLE, FtraceEvent.CLOCK_DISABLE, FtraceEvent.CLOCK_SET_RATE ->
                clock(kind, ts, body);
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

    private static long command(ProtoReader body) {
        long command = 0;
        while (body.next()) {
            command = body.field() == BinderReturn.CMD ? body.value() : command;
        }
        return command;
    }

    private void cpuIdle(long ts, ProtoReader body) {
        int cpu = 0;
        long state = 0;
        while (body.next()) {
            switch (body.field()) {
                case CpuIdle.CPU_ID -> cpu = body.intValue();
                case CpuIdle.STATE -> state = body.value();
                default -> {}
            }
        }
        builder.rareKernel().cpuCounter(ts, cpu, idle, state);
    }

    private void frequencyLimits(long ts, ProtoReader body) {
        int cpu = 0;
        long least = 0;
        long most = 0;
        while (body.next()) {
            switch (body.field()) {
                case CpuFrequencyLimits.CPU_ID -> cpu = body.intValue();
                case CpuFrequencyLimits.MIN_FREQ -> least = body.value();
                case CpuFrequencyLimits.MAX_FREQ -> most = body.value();
                default -> {}
            }
        }
        counters.frequencyLimits(ts, cpu, least, most);
    }

    private void utilization(long ts, ProtoReader body) {
        int cpu = 0;
        long utilization = 0;
        long capacity = 0;
        long running = 0;
        while (body.next()) {
            switch (body.field()) {
                case SchedCpuUtilCfs.CPU -> cpu = body.intValue();
                case SchedCpuUtilCfs.CPU_UTIL -> utilization = body.value();
                case SchedCpuUtilCfs.CAPACITY -> capacity = body.value();
                case SchedCpuUtilCfs.NR_RUNNING -> running = body.value();
                default -> {}
            }
        }
        counters.utilization(ts, cpu, utilization, capacity, running);
    }

    private void clock(int kind, long ts, ProtoReader body) {
        String name = "";
        long state = 0;
        while (body.next()) {
            switch (body.field()) {
                case Clock.NAME -> name = body.string(MAX_CLOCK_NAME);
                case Clock.STATE -> state = body.value();
                default -> {}
            }
        }
        if (kind == FtraceEvent.CLOCK_SET_RATE) {
            counters.clockRate(ts, name, state);
        } else {
            counters.clockState(ts, name, state);
        }
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
