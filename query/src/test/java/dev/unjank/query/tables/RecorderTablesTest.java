package dev.unjank.query.tables;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.query.QueryTestSession;
import dev.unjank.query.result.QueryException;
import dev.unjank.trace.proto.PacketFields.CpuInfo;
import dev.unjank.trace.proto.PacketFields.CpuInfoCpu;
import dev.unjank.trace.proto.PacketFields.ProcessTree;
import dev.unjank.trace.proto.PacketFields.ProcessTreeProcess;
import dev.unjank.trace.proto.PacketFields.SystemInfo;
import dev.unjank.trace.proto.PacketFields.Trace;
import dev.unjank.trace.proto.PacketFields.TracePacket;
import dev.unjank.trace.proto.ProtoWriter;
import dev.unjank.trace.proto.TrackEventFields.TrackEvent;
import dev.unjank.trace.read.TraceReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tables of what a recorder lists and counts: processes, CPUs, statistics, metadata; flows of programs. */
class RecorderTablesTest {
    private ProtoWriter trace = new ProtoWriter();

    @TempDir
    private Path folder;

    private void packet(long ts, int content, Consumer<ProtoWriter> fields) {
        int packet = trace.begin(Trace.PACKET);
        trace.varint(TracePacket.TIMESTAMP, ts);
        trace.varint(TracePacket.TRUSTED_PACKET_SEQUENCE_ID, 1);
        part(content, fields);
        trace.end(packet);
    }

    private void part(int field, Consumer<ProtoWriter> fields) {
        int part = trace.begin(field);
        fields.accept(trace);
        trace.end(part);
    }

    private void answers(String sql, String... rows) throws QueryException, IOException {
        answers(List.of(file("t.pftrace")), sql, rows);
    }

    private Path file(String name) throws IOException {
        return Files.write(folder.resolve(name), trace.toByteArray());
    }

    private static void answers(List<Path> files, String sql, String... rows) throws QueryException, IOException {
        try (QueryTestSession session = QueryTestSession.of(TraceReader.read(files))) {
            List<String> lines = session.result(sql);
            assertThat(lines.subList(1, lines.size())).containsExactly(rows);
        }
    }

    private void process(int pid, int parent, String... commandLine) {
        part(ProcessTree.PROCESSES, process -> {
            process.varint(ProcessTreeProcess.PID, pid);
            process.varint(ProcessTreeProcess.PPID, parent);
            for (String word : commandLine) {
                process.string(ProcessTreeProcess.CMDLINE, word);
            }
            process.varint(ProcessTreeProcess.START_FROM_BOOT, pid * 1_000L);
            process.bool(ProcessTreeProcess.IS_KTHREAD, parent == 2);
        });
    }

    @Test
    void listedProcesses() throws QueryException, IOException {
        packet(10, TracePacket.PROCESS_TREE, _ -> {
            process(1, 0, "init");
            process(7, 2, "kworker/3:1-events_power");
            process(20, 1, "/bin/server", "--port", "80");
        });
        answers(
                """
                SELECT p.upid, p.pid, parent.pid, p.cmdline, p.start_ts, extract_arg(p.arg_set_id, 'is_kthread')
                FROM process AS p LEFT JOIN process AS parent ON parent.upid = p.parent_upid
                WHERE p.pid != 2 ORDER BY p.pid
                """,
                "0,0,\"[NULL]\",\"[NULL]\",\"[NULL]\",\"[NULL]\"",
                "1,1,0,\"init\",1000,0",
                "2,7,2,\"kworker/3:1\",7000,1",
                "4,20,1,\"/bin/server --port 80\",20000,0");
        answers("SELECT upid, is_main_thread FROM thread WHERE utid = 0", "0,1");
    }

    @Test
    void theFirstParentOfAnOrphanRemains() throws QueryException, IOException {
        packet(10, TracePacket.PROCESS_TREE, _ -> process(20, 5, "child"));
        packet(20, TracePacket.PROCESS_TREE, _ -> process(20, 1, "child"));
        answers(
                "SELECT parent.pid FROM process JOIN process AS parent ON parent.upid = process.parent_upid WHERE process.pid = 20",
                "5");
    }

    @Test
    void statisticsOfBuffersFiltersAndCpus() throws QueryException, IOException {
        packet(10, TracePacket.FTRACE_STATS, _ -> kernelCounts(1, 100));
        packet(20, TracePacket.FTRACE_STATS, _ -> kernelCounts(2, 150));
        packet(30, TracePacket.TRACE_STATS, _ -> {
            part(1, buffer -> buffer.varint(12, 4096));
            part(11, filter -> {
                filter.varint(1, 7);
                filter.varint(20, 5);
                filter.varint(20, 6);
            });
        });
        answers(
                """
                SELECT name, idx, value FROM stats
                WHERE name IN ('filter_input_packets', 'filter_errors', 'traced_buf_buffer_size', 'traced_buf_chunks_read', 'traced_buf_bytes_filtered_out',
                  'ftrace_cpu_overrun_delta')
                ORDER BY name, idx
                """,
                "\"filter_errors\",\"[NULL]\",0",
                "\"filter_input_packets\",\"[NULL]\",7",
                "\"ftrace_cpu_overrun_delta\",3,50",
                "\"traced_buf_buffer_size\",0,4096",
                "\"traced_buf_bytes_filtered_out\",0,5",
                "\"traced_buf_bytes_filtered_out\",1,6",
                "\"traced_buf_chunks_read\",0,0");
    }

    /** Counts of two files of one machine are kept apart; within a file the last one counts. */
    @Test
    void statisticsOfTwoFiles() throws QueryException, IOException {
        counts(10, 100, 4096, 7);
        counts(15, 101, 4097, 8);
        Path one = file("one");
        trace = new ProtoWriter();
        counts(20, 1_000, 8192, 9);
        Path other = file("other");
        String sql = """
                SELECT name, idx, machine_id, trace_id, value FROM stats
                WHERE name IN ('filter_input_packets', 'filter_errors', 'traced_buf_buffer_size', 'ftrace_cpu_overrun_begin', 'invalid_clock_snapshots')
                ORDER BY name, idx, trace_id
                """;
        String global = "\"invalid_clock_snapshots\",\"[NULL]\",\"[NULL]\",\"[NULL]\",0";
        answers(
                List.of(one, other),
                sql,
                "\"filter_errors\",\"[NULL]\",0,0,0",
                "\"filter_errors\",\"[NULL]\",0,1,0",
                "\"filter_input_packets\",\"[NULL]\",0,0,8",
                "\"filter_input_packets\",\"[NULL]\",0,1,9",
                "\"ftrace_cpu_overrun_begin\",3,0,0,101",
                "\"ftrace_cpu_overrun_begin\",3,0,1,1000",
                global,
                "\"traced_buf_buffer_size\",0,0,0,4097",
                "\"traced_buf_buffer_size\",0,0,1,8192");
        answers(
                List.of(one),
                sql,
                "\"filter_errors\",\"[NULL]\",0,0,0",
                "\"filter_input_packets\",\"[NULL]\",0,0,8",
                "\"ftrace_cpu_overrun_begin\",3,0,0,101",
                global,
                "\"traced_buf_buffer_size\",0,0,0,4097");
    }

    private void counts(long ts, int overrun, int bufferSize, int packets) {
        packet(ts, TracePacket.FTRACE_STATS, _ -> kernelCounts(1, overrun));
        packet(ts, TracePacket.TRACE_STATS, _ -> {
            part(1, buffer -> buffer.varint(12, bufferSize));
            part(11, filter -> filter.varint(1, packets));
        });
    }

    private void kernelCounts(int phase, int overrun) {
        trace.varint(1, phase);
        part(2, cpu -> {
            cpu.varint(1, 3);
            cpu.varint(3, overrun);
        });
    }

    @Test
    void milestonesAndTriggers() throws QueryException, IOException {
        packet(10, TracePacket.SERVICE_EVENT, event -> event.bool(3, true));
        packet(20, TracePacket.SERVICE_EVENT, event -> event.bool(3, true));
        packet(40, TracePacket.TRIGGER, trigger -> trigger.string(1, "later"));
        packet(30, TracePacket.TRIGGER, trigger -> trigger.string(1, "first"));
        answers(
                "SELECT name, key_type, int_value, str_value FROM metadata WHERE name GLOB '*flushed*' OR name = 'trace_trigger' ORDER BY name, int_value",
                "\"all_data_source_flushed_ns\",\"multi\",10,\"[NULL]\"",
                "\"all_data_source_flushed_ns\",\"multi\",20,\"[NULL]\"",
                "\"trace_trigger\",\"single\",\"[NULL]\",\"first\"");
    }

    @Test
    void aTriggerOfACloneTakesPrecedence() throws QueryException, IOException {
        packet(10, TracePacket.TRIGGER, trigger -> trigger.string(1, "first"));
        packet(20, TracePacket.CLONE_SNAPSHOT_TRIGGER, trigger -> trigger.string(1, "clone"));
        answers("SELECT str_value FROM metadata WHERE name = 'trace_trigger'", "\"clone\"");
    }

    @Test
    void memoryOfTheMachine() throws QueryException, IOException {
        packet(10, TracePacket.SYSTEM_INFO, info -> info.varint(SystemInfo.SYSTEM_RAM_BYTES, 7_600_000_000L));
        answers("SELECT system_ram_bytes, system_ram_gb FROM machine", "7600000000,8");
    }

    private void cpu(int capacity, int... frequencies) {
        part(CpuInfo.CPUS, cpu -> {
            cpu.string(CpuInfoCpu.PROCESSOR, "ARM");
            for (int frequency : frequencies) {
                cpu.varint(CpuInfoCpu.FREQUENCIES, frequency);
            }
            if (capacity > 0) {
                cpu.varint(CpuInfoCpu.CAPACITY, capacity);
            }
        });
    }

    @Test
    void clustersByCapacity() throws QueryException, IOException {
        packet(10, TracePacket.CPU_INFO, _ -> {
            cpu(1024, 300, 600);
            cpu(250, 300, 600);
        });
        answers("SELECT cpu, cluster_id, capacity, processor FROM cpu", "0,1,1024,\"ARM\"", "1,0,250,\"ARM\"");
        answers("SELECT cpu, freq FROM cpu_available_frequencies ORDER BY id", "0,300", "0,600", "1,300", "1,600");
    }

    @Test
    void clustersOfNeighborsWithTheSameFrequencies() throws QueryException, IOException {
        packet(10, TracePacket.CPU_INFO, _ -> {
            cpu(0, 300, 600);
            cpu(0, 300, 600);
            cpu(0, 300, 900);
        });
        answers("SELECT cpu, cluster_id, capacity FROM cpu", "0,0,\"[NULL]\"", "1,0,\"[NULL]\"", "2,1,\"[NULL]\"");
    }

    private void event(long ts, int type, int track, int flow) {
        packet(ts, TracePacket.TRACK_EVENT, event -> {
            event.varint(TrackEvent.TYPE, type);
            event.varint(TrackEvent.TRACK_UUID, track);
            event.string(TrackEvent.NAME, "slice" + track);
            if (flow > 0) {
                event.fixed64(TrackEvent.FLOW_IDS, flow);
            }
        });
    }

    @Test
    void flowsLeadForward() throws QueryException, IOException {
        event(10, TrackEvent.SLICE_BEGIN, 1, 0);
        event(20, TrackEvent.SLICE_BEGIN, 2, 77);
        event(30, TrackEvent.SLICE_END, 2, 0);
        event(40, TrackEvent.SLICE_END, 1, 77);
        answers(
                "SELECT out.ts, in_.ts, trace_id FROM flow JOIN slice AS out ON out.id = slice_out JOIN slice AS in_ ON in_.id = slice_in",
                "10,20,77");
    }
}
