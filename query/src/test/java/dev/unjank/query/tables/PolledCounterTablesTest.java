package dev.unjank.query.tables;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.query.QueryTestSession;
import dev.unjank.query.result.QueryException;
import dev.unjank.trace.proto.FtraceFields.FtraceEvent;
import dev.unjank.trace.proto.FtraceFields.FtraceEventBundle;
import dev.unjank.trace.proto.FtraceFields.SchedCpuUtilCfs;
import dev.unjank.trace.proto.PacketFields.AndroidSystemProperty;
import dev.unjank.trace.proto.PacketFields.CpuIdleState;
import dev.unjank.trace.proto.PacketFields.CpuIdleStateEntry;
import dev.unjank.trace.proto.PacketFields.CpuTimes;
import dev.unjank.trace.proto.PacketFields.InitialDisplayState;
import dev.unjank.trace.proto.PacketFields.ProcessStats;
import dev.unjank.trace.proto.PacketFields.ProcessStatsProcess;
import dev.unjank.trace.proto.PacketFields.PropertyValue;
import dev.unjank.trace.proto.PacketFields.SysStats;
import dev.unjank.trace.proto.PacketFields.Trace;
import dev.unjank.trace.proto.PacketFields.TracePacket;
import dev.unjank.trace.proto.ProtoWriter;
import dev.unjank.trace.read.TraceReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Counters that the recorder polls or that the kernel reports: their names, owners and values. */
class PolledCounterTablesTest {
    private final ProtoWriter trace = new ProtoWriter();

    @TempDir
    private Path folder;

    private void packet(long ts, int content, Consumer<ProtoWriter> fields) {
        int packet = trace.begin(Trace.PACKET);
        trace.varint(TracePacket.TIMESTAMP, ts);
        part(content, fields);
        trace.end(packet);
    }

    private void part(int field, Consumer<ProtoWriter> fields) {
        int part = trace.begin(field);
        fields.accept(trace);
        trace.end(part);
    }

    private void answers(String sql, String... rows) throws QueryException, IOException {
        Path file = Files.write(folder.resolve("t.pftrace"), trace.toByteArray());
        try (QueryTestSession session = QueryTestSession.of(TraceReader.read(file))) {
            List<String> lines = session.result(sql);
            assertThat(lines.subList(1, lines.size())).containsExactly(rows);
        }
    }

    private void ofProcess(int field, long value) {
        part(ProcessStats.PROCESSES, process -> {
            process.varint(field, value);
            process.varint(ProcessStatsProcess.PID, 20);
        });
    }

    @Test
    void memoryIsInBytesAndTimeInNanoseconds() throws QueryException, IOException {
        packet(10, TracePacket.PROCESS_STATS, _ -> {
            ofProcess(ProcessStatsProcess.VM_RSS_KB, 3);
            ofProcess(ProcessStatsProcess.OOM_SCORE_ADJ, -1000);
            ofProcess(ProcessStatsProcess.RUNTIME_USER_MODE, 7);
            ofProcess(99, 1); // a field of another version
        });
        answers("""
                SELECT track.name, counter.ts, counter.value, process.pid
                FROM counter JOIN process_counter_track AS track ON track.id = track_id JOIN process USING (upid)
                ORDER BY track.name
                """, "\"mem.rss\",10,3072.0,20", "\"oom_score_adj\",10,-1000.0,20", "\"runtime.user_ns\",10,7.0,20");
    }

    @Test
    void cpuTimesIncludeThoseThatAreZero() throws QueryException, IOException {
        packet(
                10,
                TracePacket.SYS_STATS,
                _ -> part(SysStats.CPU_STAT, times -> {
                    times.varint(CpuTimes.CPU_ID, 1);
                    times.varint(2, 100);
                }));
        answers(
                "SELECT name, cpu, value FROM counter JOIN cpu_counter_track AS track ON track.id = track_id ORDER BY track.id",
                "\"cpu.times.user_ns\",1,100.0",
                "\"cpu.times.user_nice_ns\",1,0.0",
                "\"cpu.times.system_mode_ns\",1,0.0",
                "\"cpu.times.idle_ns\",1,0.0",
                "\"cpu.times.io_wait_ns\",1,0.0",
                "\"cpu.times.irq_ns\",1,0.0",
                "\"cpu.times.softirq_ns\",1,0.0",
                "\"cpu.times.steal_ns\",1,0.0");
    }

    private void idle(long ts, long micros) {
        packet(
                ts,
                TracePacket.SYS_STATS,
                _ -> part(SysStats.CPUIDLE_STATE, idle -> {
                    part(CpuIdleState.CPUIDLE_STATE_ENTRY, entry -> {
                        entry.string(CpuIdleStateEntry.STATE, "C6");
                        entry.varint(CpuIdleStateEntry.DURATION_US, micros);
                    });
                    idle.varint(CpuIdleState.CPU_ID, 2);
                }));
    }

    @Test
    void restOfTheTimeIsNotIdle() throws QueryException, IOException {
        idle(1_000_000, 500);
        idle(2_000_000, 750);
        answers(
                "INCLUDE PERFETTO MODULE linux.cpu.idle_time_in_state; SELECT ts, state, cpu, idle_percentage FROM linux_per_cpu_idle_time_in_state_counters ORDER BY state",
                "2000000,\"C0\",2,75.0",
                "2000000,\"C6\",2,25.0");
    }

    private void property(String name, String value) {
        part(AndroidSystemProperty.VALUES, property -> {
            property.string(PropertyValue.NAME, name);
            property.string(PropertyValue.VALUE, value);
        });
    }

    @Test
    void numericPropertiesForTraces() throws QueryException, IOException {
        packet(10, TracePacket.INITIAL_DISPLAY_STATE, state -> state.varint(InitialDisplayState.DISPLAY_STATE, 2));
        packet(20, TracePacket.ANDROID_SYSTEM_PROPERTY, _ -> {
            property("debug.tracing.screen_state", "1");
            property("debug.tracing.plug_type", "unknown");
            property("debug.tracing.battery_stats.audio", "4");
            property("screen_state", "5");
        });
        answers(
                "SELECT name, counter.ts, value FROM counter JOIN counter_track AS track ON track.id = track_id ORDER BY counter.ts, name",
                "\"ScreenState\",10,2.0",
                "\"ScreenState\",20,1.0",
                "\"battery_stats.audio\",20,4.0");
    }

    @Test
    void estimatesOfTheScheduler() throws QueryException, IOException {
        packet(10, TracePacket.FTRACE_EVENTS, bundle -> {
            bundle.varint(FtraceEventBundle.CPU, 0);
            part(FtraceEventBundle.EVENT, event -> {
                event.varint(FtraceEvent.TIMESTAMP, 30);
                part(FtraceEvent.SCHED_CPU_UTIL_CFS, body -> {
                    body.varint(SchedCpuUtilCfs.CAPACITY, 1004);
                    body.varint(SchedCpuUtilCfs.CPU, 6);
                    body.varint(SchedCpuUtilCfs.CPU_UTIL, 43);
                });
            });
        });
        answers(
                "SELECT name, cpu, counter.ts, value FROM counter JOIN cpu_counter_track AS track ON track.id = track_id ORDER BY track.id",
                "\"Cpu 6 Util\",6,30,43.0",
                "\"Cpu 6 Cap\",6,30,1004.0",
                "\"Cpu 6 Nr Running\",6,30,0.0");
    }
}
