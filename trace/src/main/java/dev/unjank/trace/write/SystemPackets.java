package dev.unjank.trace.write;

import dev.unjank.trace.model.Processes;
import dev.unjank.trace.proto.FtraceFields.FtraceCpuStats;
import dev.unjank.trace.proto.FtraceFields.FtraceStats;
import dev.unjank.trace.proto.PacketFields.Clock;
import dev.unjank.trace.proto.PacketFields.ClockSnapshot;
import dev.unjank.trace.proto.PacketFields.CpuInfo;
import dev.unjank.trace.proto.PacketFields.CpuInfoCpu;
import dev.unjank.trace.proto.PacketFields.ProcessTree;
import dev.unjank.trace.proto.PacketFields.ProcessTreeProcess;
import dev.unjank.trace.proto.PacketFields.ProcessTreeThread;
import dev.unjank.trace.proto.PacketFields.SystemInfo;
import dev.unjank.trace.proto.PacketFields.TracePacket;
import dev.unjank.trace.proto.PacketFields.Utsname;
import dev.unjank.trace.proto.ProtoWriter;
import java.util.EnumMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Encodes the packets that describe the machine, its processes and its clocks. Each method fills and returns the
 * given packet.
 */
final class SystemPackets {
    private SystemPackets() {}

    /** A clock snapshot. The first clock is the trace's. */
    static ProtoWriter clocks(ProtoWriter packet, EnumMap<TraceClock, Long> readings) {
        int snapshot = packet.begin(TracePacket.CLOCK_SNAPSHOT);
        readings.forEach((clock, ns) -> {
            int message = packet.begin(ClockSnapshot.CLOCKS);
            packet.varint(Clock.CLOCK_ID, clock.id());
            packet.varint(Clock.TIMESTAMP, ns);
            packet.end(message);
        });
        packet.varint(
                ClockSnapshot.PRIMARY_TRACE_CLOCK,
                readings.keySet().iterator().next().id());
        packet.end(snapshot);
        return packet;
    }

    /** The system info: of an Android device with an SDK (0 if unknown), or of another machine with its CPUs. */
    static ProtoWriter system(ProtoWriter packet, String kernelRelease, @Nullable String machine, int sdk, int cpus) {
        int info = packet.begin(TracePacket.SYSTEM_INFO);
        int utsname = packet.begin(SystemInfo.UTSNAME);
        packet.string(Utsname.SYSNAME, "Linux");
        packet.string(Utsname.RELEASE, kernelRelease);
        if (machine != null) {
            packet.string(Utsname.MACHINE, machine);
        }
        packet.end(utsname);
        if (sdk > 0) {
            packet.varint(SystemInfo.ANDROID_SDK_VERSION, sdk);
        }
        if (machine != null) {
            packet.varint(SystemInfo.NUM_CPUS, cpus);
        }
        packet.end(info);
        return packet;
    }

    static ProtoWriter cpus(ProtoWriter packet, List<TraceWriter.CpuEntry> cpus) {
        int info = packet.begin(TracePacket.CPU_INFO);
        for (TraceWriter.CpuEntry cpu : cpus) {
            int message = packet.begin(CpuInfo.CPUS);
            packet.string(CpuInfoCpu.PROCESSOR, cpu.model());
            if (cpu.capacity() > 0) {
                packet.varint(CpuInfoCpu.CAPACITY, cpu.capacity());
            }
            packet.end(message);
        }
        packet.end(info);
        return packet;
    }

    static ProtoWriter stats(ProtoWriter packet, long ts, boolean atEnd, List<TraceWriter.CpuStats> cpuStats) {
        packet.varint(TracePacket.TIMESTAMP, ts);
        int stats = packet.begin(TracePacket.FTRACE_STATS);
        packet.varint(FtraceStats.PHASE, atEnd ? FtraceStats.END_OF_TRACE : FtraceStats.START_OF_TRACE);
        for (TraceWriter.CpuStats each : cpuStats) {
            int message = packet.begin(FtraceStats.CPU_STATS);
            packet.varint(FtraceCpuStats.CPU, each.cpu());
            packet.varint(FtraceCpuStats.ENTRIES, each.entries());
            packet.varint(FtraceCpuStats.OVERRUN, each.overrun());
            packet.varint(FtraceCpuStats.COMMIT_OVERRUN, each.commitOverrun());
            packet.varint(FtraceCpuStats.DROPPED_EVENTS, each.dropped());
            packet.varint(FtraceCpuStats.READ_EVENTS, each.read());
            packet.end(message);
        }
        packet.end(stats);
        return packet;
    }

    static ProtoWriter processes(
            ProtoWriter packet,
            long ts,
            List<TraceWriter.ProcessEntry> processes,
            List<TraceWriter.ThreadEntry> threads) {
        packet.varint(TracePacket.TIMESTAMP, ts);
        int tree = packet.begin(TracePacket.PROCESS_TREE);
        for (TraceWriter.ProcessEntry process : processes) {
            int message = packet.begin(ProcessTree.PROCESSES);
            packet.varint(ProcessTreeProcess.PID, process.pid());
            packet.varint(ProcessTreeProcess.PPID, process.parentPid());
            packet.string(ProcessTreeProcess.CMDLINE, process.name());
            if (process.uid() != Processes.NO_UID) {
                packet.varint(ProcessTreeProcess.UID, process.uid());
            }
            packet.end(message);
        }
        for (TraceWriter.ThreadEntry thread : threads) {
            int message = packet.begin(ProcessTree.THREADS);
            packet.varint(ProcessTreeThread.TID, thread.tid());
            packet.string(ProcessTreeThread.NAME, thread.name());
            packet.varint(ProcessTreeThread.TGID, thread.pid());
            packet.end(message);
        }
        packet.varint(ProcessTree.COLLECTION_END_TIMESTAMP, ts);
        packet.end(tree);
        return packet;
    }
}
