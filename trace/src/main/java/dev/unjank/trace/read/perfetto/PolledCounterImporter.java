package dev.unjank.trace.read.perfetto;

import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.model.Counters;
import dev.unjank.trace.proto.PacketFields.AndroidSystemProperty;
import dev.unjank.trace.proto.PacketFields.CpuIdleState;
import dev.unjank.trace.proto.PacketFields.CpuIdleStateEntry;
import dev.unjank.trace.proto.PacketFields.CpuTimes;
import dev.unjank.trace.proto.PacketFields.DevfreqValue;
import dev.unjank.trace.proto.PacketFields.InitialDisplayState;
import dev.unjank.trace.proto.PacketFields.ProcessStats;
import dev.unjank.trace.proto.PacketFields.ProcessStatsProcess;
import dev.unjank.trace.proto.PacketFields.PropertyValue;
import dev.unjank.trace.proto.PacketFields.SysStats;
import dev.unjank.trace.proto.PacketFields.TracePacket;
import dev.unjank.trace.proto.ProtoReader;
import dev.unjank.trace.read.common.MachineCounters;
import java.util.List;
import java.util.Map;

/**
 * Imports values that the recorder polls, as counters with the names of Perfetto's tables: memory and time of
 * processes, times and states of CPUs, properties of Android.
 */
final class PolledCounterImporter {
    private static final int MAX_TEXT = 256;
    private static final long KIBIBYTE = 1024;

    private static final Map<Integer, String> MEMORY = Map.of(
            ProcessStatsProcess.VM_SIZE_KB, "mem.virt",
            ProcessStatsProcess.VM_RSS_KB, "mem.rss",
            ProcessStatsProcess.RSS_ANON_KB, "mem.rss.anon",
            ProcessStatsProcess.RSS_FILE_KB, "mem.rss.file",
            ProcessStatsProcess.RSS_SHMEM_KB, "mem.rss.shmem",
            ProcessStatsProcess.VM_SWAP_KB, "mem.swap",
            ProcessStatsProcess.VM_LOCKED_KB, "mem.locked",
            ProcessStatsProcess.VM_HWM_KB, "mem.rss.watermark");
    private static final Map<Integer, String> OF_PROCESS = Map.of(
            ProcessStatsProcess.OOM_SCORE_ADJ, "oom_score_adj",
            ProcessStatsProcess.RUNTIME_USER_MODE, "runtime.user_ns",
            ProcessStatsProcess.RUNTIME_KERNEL_MODE, "runtime.kernel_ns");

    /** By field, from 2. */
    private static final List<String> CPU_TIMES =
            List.of("", "", "user", "user_nice", "system_mode", "idle", "io_wait", "irq", "softirq", "steal");

    private final TraceBuilder builder;
    private final MachineCounters counters;
    private final ProtoReader message = new ProtoReader();
    private final ProtoReader part = new ProtoReader();
    private final ProtoReader entry = new ProtoReader();

    PolledCounterImporter(TraceBuilder builder) {
        this.builder = builder;
        counters = new MachineCounters(builder);
    }

    /** Imports a packet's current field. */
    void read(int content, ProtoReader packet, long ts) {
        message.resetToField(packet);
        switch (content) {
            case TracePacket.PROCESS_STATS -> processes(ts);
            case TracePacket.SYS_STATS -> machine(ts);
            case TracePacket.INITIAL_DISPLAY_STATE -> display(ts);
            default -> properties(ts);
        }
    }

    private void processes(long ts) {
        while (message.next()) {
            if (message.field() == ProcessStats.PROCESSES) {
                int pid = 0;
                part.resetToField(message);
                while (part.next()) {
                    pid = part.field() == ProcessStatsProcess.PID ? part.intValue() : pid;
                }
                part.resetToField(message);
                while (part.next()) {
                    process(ts, pid);
                }
            }
        }
    }

    private void process(long ts, int pid) {
        String memory = MEMORY.get(part.field());
        String name = memory == null ? OF_PROCESS.get(part.field()) : memory;
        if (name != null) {
            long value = memory == null ? part.value() : part.value() * KIBIBYTE;
            builder.program().counter(ts, pid, builder.intern(name), value);
        }
    }

    private void machine(long ts) {
        int cpu = 0;
        while (message.next()) {
            switch (message.field()) {
                case SysStats.CPU_STAT -> cpuTimes(ts);
                case SysStats.NUM_FORKS -> counters.counter(ts, "num_forks", message.value());
                case SysStats.NUM_IRQ_TOTAL -> counters.counter(ts, "num_irq_total", message.value());
                case SysStats.NUM_SOFTIRQ_TOTAL -> counters.counter(ts, "num_softirq_total", message.value());
                case SysStats.DEVFREQ -> deviceRate(ts);
                case SysStats.CPUFREQ_KHZ -> ofCpu(ts, cpu++, Counters.CPU_FREQUENCY, message.value());
                case SysStats.CPUIDLE_STATE -> idleStates(ts);
                default -> {}
            }
        }
    }

    private void ofCpu(long ts, int cpu, String name, long value) {
        builder.rareKernel().cpuCounter(ts, cpu, builder.intern(name), value);
    }

    private void cpuTimes(long ts) {
        long[] times = new long[CPU_TIMES.size()]; // a zero may be missing
        part.resetToField(message);
        while (part.next()) {
            if (part.field() < times.length) {
                times[part.field()] = part.value();
            }
        }
        for (int field = 2; field < times.length; field++) {
            ofCpu(ts, (int) times[CpuTimes.CPU_ID], "cpu.times." + CPU_TIMES.get(field) + "_ns", times[field]);
        }
    }

    private void deviceRate(long ts) {
        String device = "";
        long rate = 0;
        part.resetToField(message);
        while (part.next()) {
            switch (part.field()) {
                case DevfreqValue.KEY -> device = part.string(MAX_TEXT);
                case DevfreqValue.VALUE -> rate = part.value();
                default -> {}
            }
        }
        counters.clockRate(ts, device, rate);
    }

    private void idleStates(long ts) {
        int cpu = 0;
        part.resetToField(message);
        while (part.next()) {
            cpu = part.field() == CpuIdleState.CPU_ID ? part.intValue() : cpu;
        }
        part.resetToField(message);
        while (part.next()) {
            if (part.field() == CpuIdleState.CPUIDLE_STATE_ENTRY) {
                String state = "";
                long micros = 0;
                entry.resetToField(part);
                while (entry.next()) {
                    switch (entry.field()) {
                        case CpuIdleStateEntry.STATE -> state = entry.string(MAX_TEXT);
                        case CpuIdleStateEntry.DURATION_US -> micros = entry.value();
                        default -> {}
                    }
                }
                ofCpu(ts, cpu, Counters.CPU_IDLE + "." + state, micros);
            }
        }
    }

    private void display(long ts) {
        while (message.next()) {
            if (message.field() == InitialDisplayState.DISPLAY_STATE) {
                counters.screenState(ts, message.value());
            }
        }
    }

    private void properties(long ts) {
        while (message.next()) {
            if (message.field() == AndroidSystemProperty.VALUES) {
                String name = "";
                String value = "";
                part.resetToField(message);
                while (part.next()) {
                    switch (part.field()) {
                        case PropertyValue.NAME -> name = part.string(MAX_TEXT);
                        case PropertyValue.VALUE -> value = part.string(MAX_TEXT);
                        default -> {}
                    }
                }
                counters.property(ts, name, value);
            }
        }
    }
}
