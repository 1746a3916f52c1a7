package dev.unjank.trace.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unjank.trace.model.Frames;
import dev.unjank.trace.model.Processes;
import dev.unjank.trace.model.SchedState;
import dev.unjank.trace.model.ThreadStates;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.model.UnusableTraceException;
import dev.unjank.trace.proto.PacketFields;
import dev.unjank.trace.proto.ProtoReader;
import dev.unjank.trace.read.TraceReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the encoded packets, and reads back the calls that no scene uses. */
class TraceWriterTest {
    private static final Task MAIN = new Task(1000, "main", 110);
    private static final Task WORKER = new Task(1001, "worker", 120);
    private static final long SECOND = 1_000_000_000;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    @TempDir
    private Path dir;

    /** Field by field as encoded by Perfetto's own protobuf classes. */
    @Test
    void aSwitchIsEncodedAsPerfettoDoes() throws IOException {
        try (TraceWriter writer = new TraceWriter(bytes, WireFormat.PLAIN)) {
            writer.cpu(1).schedSwitch(300, MAIN, PrevState.PREEMPTED, WORKER);
        }
        String event = "08ac02" // timestamp: 300
                + "10e807" // pid: 1000
                + "221b" // sched_switch
                + "0a046d61696e" // prev_comm: "main"
                + "10e807" // prev_pid: 1000
                + "186e" // prev_prio: 110
                + "208002" // prev_state: 256
                + "2a06776f726b6572" // next_comm: "worker"
                + "30e907" // next_pid: 1001
                + "3878"; // next_prio: 120
        String packet = "5002" // trusted_packet_sequence_id: 2
                + "6803" // sequence_flags: cleared, needed
                + "0a27" // ftrace_events
                + "0801" // cpu: 1
                + "1223" // event
                + event;
        assertThat(HexFormat.of().formatHex(bytes.toByteArray())).isEqualTo("0a2d" + packet);
    }

    @Test
    void compactColumnsAreEncodedAsPerfettoDoes() throws IOException {
        try (TraceWriter writer = new TraceWriter(bytes, WireFormat.COMPACT)) {
            FtraceCpuWriter cpu = writer.cpu(0);
            cpu.schedSwitch(300, MAIN, PrevState.SLEEPING, WORKER);
            cpu.schedWaking(350, WORKER.tid(), MAIN, 3);
            cpu.schedSwitch(400, WORKER, PrevState.PREEMPTED, MAIN);
            cpu.schedSwitch(401, MAIN, PrevState.SLEEPING, WORKER);
        }
        String columns = "2a06776f726b6572" // intern_table: "worker"
                + "2a046d61696e" // intern_table: "main"
                + "0a04ac026401" // switch_timestamp: 300, 100, 1
                + "120401800201" // switch_prev_state: 1, 256, 1
                + "1a06e907e807e907" // switch_next_pid
                + "2203786e78" // switch_next_prio
                + "3203000100" // switch_next_comm_index
                + "3a02de02" // waking_timestamp: 350
                + "4202e807" // waking_pid
                + "4a0103" // waking_target_cpu: 3
                + "52016e" // waking_prio
                + "5a0101" // waking_comm_index
                + "620100"; // waking_common_flags
        String length = HexFormat.of().toHexDigits((byte) (columns.length() / 2));
        assertThat(HexFormat.of().formatHex(bytes.toByteArray())).endsWith("0800" + "22" + length + columns);
    }

    @Test
    void refusesEventsOfOneCpuOutOfOrder() throws IOException {
        try (TraceWriter writer = new TraceWriter(bytes, WireFormat.PLAIN)) {
            writer.cpu(0).print(2000, 1, "later");
            writer.cpu(1).print(1000, 1, "other cpus may be behind");
            assertThatThrownBy(() -> writer.cpu(0).print(1999, 1, "earlier"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("event of cpu 0 at 1999 after one at 2000");
        }
    }

    @Test
    void closesItsStreamEvenWhenThatFails() {
        boolean[] closed = {false};
        OutputStream failing = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("full");
            }

            @Override
            public void close() {
                closed[0] = true;
            }
        };
        TraceWriter writer = new TraceWriter(failing, WireFormat.COMPRESSED);
        assertThatThrownBy(() -> {
                    writer.cpu(0).print(1, 1, "lost");
                    writer.close();
                })
                .hasMessage("full");
        assertThat(closed[0]).isTrue();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void keepsABoundedAmountInMemory(boolean compressed) throws IOException {
        Measuring out = new Measuring();
        long events = 200_000;
        try (TraceWriter writer = new TraceWriter(out, new WireFormat(true, compressed))) {
            for (int i = 0; i < events; i++) {
                FtraceCpuWriter cpu = writer.cpu(i & 3);
                cpu.schedSwitch(1000L + i, i % 2 == 0 ? MAIN : WORKER, PrevState.SLEEPING, WORKER);
                cpu.print(1000L + i, 1000, "C|1000|counter " + i + "|" + i);
            }
            assertThat(out.written).as("before the end").isPositive();
        }
        assertThat(out.longestWrite).as("bytes at a time").isLessThan(200_000);
        if (!compressed) {
            assertThat(out.written).isGreaterThan(events * 20);
        }
    }

    @Test
    void namesOfKernelFunctionsAreWrittenOnceAndKnownToAllCpus() throws Exception {
        try (TraceWriter writer = new TraceWriter(bytes, WireFormat.PLAIN)) {
            writer.systemInfo("5.10.1", 33);
            for (int cpu = 1; cpu >= 0; cpu--) {
                long ts = SECOND + cpu;
                FtraceCpuWriter on = writer.cpu(cpu);
                Task task = new Task(2000 + cpu, "sleeper", 120);
                on.schedSwitch(ts, Task.idle(cpu), PrevState.RUNNABLE, task);
                on.schedSwitch(ts + 10, task, PrevState.UNINTERRUPTIBLE, Task.idle(cpu));
                on.schedWaking(ts + 20, 0, task, cpu);
                on.schedBlockedReason(ts + 20, 0, task.tid(), true, cpu == 1 ? "first" : "second");
                on.schedSwitch(ts + 30, Task.idle(cpu), PrevState.RUNNABLE, task);
                on.schedSwitch(ts + 40, task, PrevState.UNINTERRUPTIBLE, Task.idle(cpu));
                on.schedWaking(ts + 50, 0, task, cpu);
                on.schedBlockedReason(ts + 50, 0, task.tid(), false, "first");
            }
        }
        Trace trace = read();
        assertThat(blockedFunctions(trace, 2000)).containsExactly("second", "first");
        assertThat(blockedFunctions(trace, 2001)).containsExactly("first", "first");
        assertThat(occurrences("first")).isEqualTo(1);
    }

    @Test
    void asWhichUserAProcessRuns() throws Exception {
        try (TraceWriter writer = new TraceWriter(bytes, WireFormat.PLAIN)) {
            writer.processTree(
                    SECOND,
                    List.of(
                            new TraceWriter.ProcessEntry(1000, 1, "app", 10_123),
                            new TraceWriter.ProcessEntry(2000, 1, "init", 0),
                            new TraceWriter.ProcessEntry(3000, 1, "unknown")),
                    List.of());
            writer.cpu(0).print(SECOND + 1000, 1000, AtraceMarks.instant(1000, "end"));
        }
        Processes processes = read().processes();
        Map<Integer, Integer> uids = new HashMap<>();
        for (int upid = 0; upid < processes.size(); upid++) {
            uids.put(processes.pid(upid), processes.uid(upid));
        }
        assertThat(uids).containsEntry(1000, 10_123).containsEntry(2000, 0).containsEntry(3000, Processes.NO_UID);
    }

    @Test
    void framesOnTheMonotonicClockAreMovedToTheTracesClock() throws Exception {
        long boot = 500 * SECOND;
        long monotonic = 200 * SECOND;
        try (TraceWriter writer = new TraceWriter(bytes, WireFormat.PLAIN)) {
            writer.clockSnapshot(boot, monotonic, 1_700_000_000 * SECOND);
            writer.processTree(boot, List.of(new TraceWriter.ProcessEntry(1000, 1, "app")), List.of());
            FrameTimelineWriter timeline = writer.frames(TraceClock.MONOTONIC);
            var frame = new FrameTimelineWriter.SurfaceFrame(10, 11, 1000, "layer");
            timeline.expectedSurfaceFrame(frame, monotonic + 100, monotonic + 200);
            timeline.actualSurfaceFrame(
                    frame, monotonic + 100, monotonic + 250, FrameTimelineWriter.JANK_APP_DEADLINE_MISSED);
            timeline.expectedDisplayFrame(11, 600, monotonic + 200, monotonic + 300);
            timeline.actualDisplayFrame(11, 600, monotonic + 200, monotonic + 290, FrameTimelineWriter.JANK_NONE);
            writer.cpu(0).print(boot + 1000, 1000, AtraceMarks.instant(1000, "end"));
        }
        Frames frames = read().frames();
        assertThat(frames.size()).isEqualTo(2);
        int app = frames.surfaceToken(0) == 0 ? 1 : 0;
        assertThat(frames.ts(app)).isEqualTo(boot + 100);
        assertThat(frames.dur(app)).isEqualTo(150);
        assertThat(frames.deadlineNs(app)).isEqualTo(boot + 200);
        assertThat(frames.jankMask(app)).isEqualTo(FrameTimelineWriter.JANK_APP_DEADLINE_MISSED);
        assertThat(frames.onTimeFinish(app)).isFalse();
        assertThat(frames.surfaceToken(app)).isEqualTo(10);
        assertThat(frames.displayToken(app)).isEqualTo(11);
        assertThat(frames.layer(app)).isEqualTo("layer");
        assertThat(frames.surfaceToken(1 - app)).isZero();
        assertThat(frames.ts(1 - app)).isEqualTo(boot + 200);
        assertThat(frames.onTimeFinish(1 - app)).isTrue();
    }

    /** As recorded on devices before Android 8: another clock, sched_wakeup only, old bits for "preempted". */
    @Test
    void theOldFtraceClockIsMovedToTheTracesClock() throws Exception {
        long ahead = 5000;
        try (TraceWriter writer = new TraceWriter(bytes, WireFormat.PLAIN)) {
            writer.systemInfo("3.10.73-g1234", 24);
            writer.clockSnapshot(SECOND, SECOND, 0);
            writer.globalFtraceClock(SECOND - ahead, SECOND);
            FtraceCpuWriter cpu = writer.cpu(0);
            cpu.schedWakeup(SECOND, 0, MAIN, 0);
            cpu.schedSwitch(SECOND + 10, Task.idle(0), PrevState.RUNNABLE, MAIN);
            cpu.schedSwitch(SECOND + 30, MAIN, 0x400, WORKER);
            cpu.print(SECOND + 40, WORKER.tid(), AtraceMarks.begin(1000, "late"));
        }
        Trace trace = read();
        ThreadStates states = trace.threadStates();
        int row = states.first(trace.threads().find(MAIN.tid(), SECOND + ahead + 20));
        assertThat(states.ts(row)).isEqualTo(SECOND + ahead);
        assertThat(states.state(row)).isEqualTo(SchedState.RUNNABLE);
        assertThat(states.ts(row + 1)).isEqualTo(SECOND + ahead + 10);
        assertThat(states.state(row + 1)).isEqualTo(SchedState.RUNNING);
        assertThat(states.ts(row + 2)).isEqualTo(SECOND + ahead + 30);
        assertThat(trace.endNs()).isEqualTo(SECOND + ahead + 40);
    }

    @Test
    void lostEventsAreWarnedOf() throws Exception {
        try (TraceWriter writer = new TraceWriter(bytes, WireFormat.COMPACT)) {
            FtraceCpuWriter cpu = writer.cpu(0);
            cpu.schedSwitch(1000, Task.idle(0), PrevState.RUNNABLE, MAIN);
            cpu.schedSwitch(2000, MAIN, PrevState.SLEEPING, Task.idle(0));
            cpu.lostEvents();
            cpu.schedSwitch(3000, Task.idle(0), PrevState.RUNNABLE, WORKER);
        }
        assertThat(read().warnings())
                .anySatisfy(line -> assertThat(line).contains("overflowed once and events were lost"));
    }

    private static List<String> blockedFunctions(Trace trace, int tid) {
        ThreadStates states = trace.threadStates();
        int utid = trace.threads().find(tid, SECOND + 5);
        List<String> functions = new ArrayList<>();
        for (int row = states.first(utid); row < states.end(utid); row++) {
            if (states.state(row) == SchedState.UNINTERRUPTIBLE) {
                functions.add(states.blockedFunction(row));
            }
        }
        return functions;
    }

    /** The number of occurrences of a name among the interned kernel symbols of all packets. */
    private int occurrences(String symbol) {
        int count = 0;
        ProtoReader trace = new ProtoReader().reset(bytes.toByteArray(), 0, bytes.size());
        ProtoReader packet = new ProtoReader();
        ProtoReader data = new ProtoReader();
        ProtoReader entry = new ProtoReader();
        while (trace.next()) {
            packet.resetToField(trace);
            while (packet.next()) {
                if (packet.field() == PacketFields.TracePacket.INTERNED_DATA) {
                    data.resetToField(packet);
                    while (data.next()) {
                        entry.resetToField(data);
                        while (entry.next()) {
                            if (entry.field() == PacketFields.InternedString.STR
                                    && new String(entry.bytes(), entry.from(), entry.length(), StandardCharsets.UTF_8)
                                            .equals(symbol)) {
                                count++;
                            }
                        }
                    }
                }
            }
        }
        return count;
    }

    private Trace read() throws IOException, UnusableTraceException {
        return TraceReader.read(Files.write(dir.resolve("written.pftrace"), bytes.toByteArray()));
    }

    private static final class Measuring extends OutputStream {
        private long written;
        private int longestWrite;

        @Override
        public void write(int b) {
            written++;
        }

        @Override
        public void write(byte[] source, int from, int length) {
            written += length;
            longestWrite = Math.max(longestWrite, length);
        }
    }
}
