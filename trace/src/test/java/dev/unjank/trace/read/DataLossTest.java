package dev.unjank.trace.read;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.model.DataLoss;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.proto.FtraceFields.FtraceEvent;
import dev.unjank.trace.proto.FtraceFields.FtraceEventBundle;
import dev.unjank.trace.proto.FtraceFields.Print;
import dev.unjank.trace.proto.PacketFields;
import dev.unjank.trace.proto.PacketFields.TracePacket;
import dev.unjank.trace.proto.ProtoWriter;
import dev.unjank.trace.read.common.ClockConverter;
import dev.unjank.trace.read.common.Parallelism;
import dev.unjank.trace.read.perfetto.ftrace.DataLossDetector;
import dev.unjank.trace.write.AtraceMarks;
import dev.unjank.trace.write.PrevState;
import dev.unjank.trace.write.Task;
import dev.unjank.trace.write.TraceClock;
import dev.unjank.trace.write.TraceWriter;
import dev.unjank.trace.write.TrackEventWriter;
import dev.unjank.trace.write.TrackWriter;
import dev.unjank.trace.write.WireFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Data losses, as each format records them. */
class DataLossTest {
    private static final Task WORKER = new Task(11, "worker", 120);

    @TempDir
    private Path folder;

    private Trace read(byte[] bytes, int stretches) throws IOException {
        Path file = Files.write(folder.resolve("trace"), bytes);
        return TraceReader.read(file, new Parallelism(task -> new Thread(task).start(), stretches, 1));
    }

    private Trace read(String systrace) throws IOException {
        return TraceReader.read(Files.write(folder.resolve("trace"), systrace.getBytes(UTF_8)));
    }

    /** A switch to the worker and back. */
    private static void runs(TraceWriter writer, int cpu, long from, long to) throws IOException {
        writer.cpu(cpu).schedSwitch(from, Task.idle(cpu), PrevState.RUNNABLE, WORKER);
        writer.cpu(cpu).schedSwitch(to, WORKER, PrevState.SLEEPING, Task.idle(cpu));
        writer.flush();
    }

    @Test
    void aCpusBufferOverflowed() throws IOException {
        for (WireFormat format : List.of(WireFormat.PLAIN, WireFormat.COMPACT, WireFormat.COMPRESSED)) {
            aCpusBufferOverflowed(format);
        }
    }

    private void aCpusBufferOverflowed(WireFormat format) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (TraceWriter writer = new TraceWriter(out, format)) {
            runs(writer, 0, 100, 200);
            runs(writer, 1, 210, 300);
            runs(writer, 0, 310, 400);
            writer.cpu(1).lostEvents();
            runs(writer, 1, 500, 600); // the last event of CPU 1 was at 300
            runs(writer, 0, 610, 700);
            writer.cpu(0).lostEvents();
            runs(writer, 0, 900, 950);
            writer.cpu(2).lostEvents();
            runs(writer, 2, 960, 990); // there is no earlier event
        }
        for (int stretches = 1; stretches < 9; stretches++) {
            assertThat(read(out.toByteArray(), stretches).dataLosses())
                    .as(format + ", " + stretches + " stretches")
                    .containsExactly(
                            DataLoss.recorded(2, 100, 960),
                            DataLoss.recorded(1, 300, 500),
                            DataLoss.recorded(0, 700, 900));
        }
    }

    @Test
    void withoutALossThereIsNoGap() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (TraceWriter writer = new TraceWriter(out, WireFormat.PLAIN)) {
            runs(writer, 0, 100, 200);
            runs(writer, 0, 9_000, 9_100);
        }
        assertThat(read(out.toByteArray(), 1).dataLosses()).isEmpty();
    }

    @Test
    void aProgramsPacketsWereDropped() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        long track = TrackWriter.ofThread(20, 20);
        try (TraceWriter writer = new TraceWriter(out, WireFormat.PLAIN)) {
            TrackEventWriter events = writer.trackEvents(TraceClock.BOOTTIME, track);
            events.tracks().thread(100, 20, 20, "ui");
            events.instant(100, track, "c", "a").write();
            events.instant(300, track, "c", "b").write();
            events.dataLoss();
            events.instant(700, track, "c", "c").write();
            events.instant(800, track, "c", "d").write();
        }
        assertThat(read(out.toByteArray(), 1).dataLosses())
                .containsExactly(DataLoss.recorded(DataLoss.ANY_CPU, 300, 700));
    }

    /** A packet was dropped before CPU 0's second bundle: it may have contained the next bundle of either CPU. */
    @Test
    void aBundleWasDropped() {
        for (int cut = 0; cut <= 4; cut++) {
            DataLossDetector first = new DataLossDetector();
            DataLossDetector second = new DataLossDetector();
            DataLossDetector log = first;
            long[][] bundles = {{0, 100, 200}, {1, 150, 250}, {0, 400, 500}, {1, 450, 550}, {0, 600, 700}, {1, 650, 750}
            };
            for (int i = 0; i < bundles.length; i++) {
                log = i < cut ? first : second;
                if (i == 2) {
                    log.packetDropped();
                }
                log.bundle((int) bundles[i][0], ClockConverter.UNKNOWN, bundles[i][1], bundles[i][2], false);
            }
            first.append(second);
            TraceBuilder builder = new TraceBuilder("t");
            builder.unmodeledEvent(0);
            builder.unmodeledEvent(1000);
            first.reportTo(builder);
            assertThat(builder.build().dataLosses())
                    .as("truncated before bundle " + cut)
                    .containsExactly(DataLoss.recorded(0, 200, 400), DataLoss.recorded(1, 250, 450));
        }
    }

    /** A bundle names an event before it: the trace has that of CPU 0, and lacks that of CPU 1. */
    @Test
    void aBundleIsMissing() {
        for (int cut = 0; cut <= 4; cut++) {
            DataLossDetector first = new DataLossDetector();
            DataLossDetector second = new DataLossDetector();
            long[][] bundles = {{0, 0, 100, 200}, {1, 0, 150, 250}, {0, 200, 400, 500}, {1, 300, 450, 550}};
            for (int i = 0; i < bundles.length; i++) {
                long earlier = bundles[i][1] == 0 ? ClockConverter.UNKNOWN : bundles[i][1];
                (i < cut ? first : second).bundle((int) bundles[i][0], earlier, bundles[i][2], bundles[i][3], false);
            }
            first.append(second);
            TraceBuilder builder = new TraceBuilder("t");
            builder.unmodeledEvent(0);
            builder.unmodeledEvent(1000);
            first.reportTo(builder);
            assertThat(builder.build().dataLosses()).containsExactly(DataLoss.recorded(1, 250, 450));
        }
    }

    /** As Perfetto writes bundles: each with the time of the last event before it, in either of two fields. */
    @ParameterizedTest
    @CsvSource({
        "9, 200, 200, ''",
        "9, 200, 500, 400-600",
        "10, 300, 400, 200-400",
    })
    void thePreviousEventOfABundle(int field, long beforeSecond, long beforeThird, String loss) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(bundle(field, 0, 100, 200));
        out.writeBytes(bundle(field, beforeSecond, 400));
        out.writeBytes(bundle(field, beforeThird, 600));
        assertThat(read(out.toByteArray(), 1).dataLosses())
                .extracting(found -> found.startNs() + "-" + found.endNs())
                .isEqualTo(loss.isEmpty() ? List.of() : List.of(loss));
    }

    private static byte[] bundle(int field, long earlierNs, long... prints) {
        ProtoWriter bundle = new ProtoWriter();
        bundle.varint(FtraceEventBundle.CPU, 0);
        for (long ts : prints) {
            int event = bundle.begin(FtraceEventBundle.EVENT);
            bundle.varint(FtraceEvent.TIMESTAMP, ts);
            bundle.varint(FtraceEvent.PID, 7);
            int print = bundle.begin(FtraceEvent.PRINT);
            bundle.string(Print.BUF, "B|7|x\n");
            bundle.end(print);
            bundle.end(event);
        }
        bundle.varint(field, earlierNs);
        ProtoWriter packet = new ProtoWriter();
        packet.message(TracePacket.FTRACE_EVENTS, bundle);
        ProtoWriter file = new ProtoWriter();
        file.message(PacketFields.Trace.PACKET, packet);
        return file.toByteArray();
    }

    @Test
    void systraceSaysSoInALine() throws IOException {
        Trace trace = read("""
                # tracer: nop
                 a-1 (1) [000] ...1 5.000000: tracing_mark_write: B|1|x
                 a-1 (1) [001] ...1 5.000500: tracing_mark_write: B|1|x
                CPU:1 [LOST 77 EVENTS]
                 a-1 (1) [000] ...1 5.001000: tracing_mark_write: E|1
                 a-1 (1) [001] ...1 5.002000: tracing_mark_write: E|1
                """);
        assertThat(trace.dataLosses()).containsExactly(DataLoss.recorded(1, 5_000_500_000L, 5_002_000_000L));
    }

    @Test
    void timesMoveWithTheirFile() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (TraceWriter writer = new TraceWriter(out, WireFormat.PLAIN)) {
            writer.clockSnapshot(1_000, 900, 1_000_000);
            writer.cpu(0).print(5_000, 10, AtraceMarks.begin(10, "x"));
        }
        Path base = Files.write(folder.resolve("base"), out.toByteArray());
        Path other = Files.write(folder.resolve("other"), """
                # tracer: nop
                 a-1 (1) [000] ...1 0.000001: tracing_mark_write: trace_event_clock_sync: parent_ts=0.000001
                 a-1 (1) [000] ...1 0.000002: tracing_mark_write: B|1|x
                CPU:0 [LOST 77 EVENTS]
                 a-1 (1) [000] ...1 0.000004: tracing_mark_write: E|1
                """.getBytes(UTF_8));
        assertThat(TraceReader.read(List.of(base, other)).dataLosses())
                .containsExactly(DataLoss.recorded(0, 2_100, 4_100));
    }
}
