package dev.unjank.trace.read;

import static dev.unjank.scene.Scene.ms;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unjank.scene.LauncherExample;
import dev.unjank.scene.Scene;
import dev.unjank.scene.SceneProcess;
import dev.unjank.scene.SceneThread;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.model.UnusableTraceException;
import dev.unjank.trace.proto.PacketFields;
import dev.unjank.trace.proto.ProtoWriter;
import dev.unjank.trace.write.PrevState;
import dev.unjank.trace.write.Task;
import dev.unjank.trace.write.TraceWriter;
import dev.unjank.trace.write.WireFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TraceReaderTest {
    @TempDir
    Path folder;

    @Test
    void theFormatMakesNoDifference() throws IOException {
        Trace compact = read(LauncherExample.trace());
        assertThat(compact.warnings()).isEmpty();
        assertThat(compact.hasScheduling()).isTrue();
        assertThat(compact.slices().firstAsync()).isPositive();
        assertThat(compact.frames().size()).isPositive();

        byte[] compressed = LauncherExample.scene().toBytes(WireFormat.COMPRESSED);
        assertThat(TraceRowText.rows(read(compressed))).isEqualTo(TraceRowText.rows(compact));
        assertThat(TraceRowText.rows(read(gzip(LauncherExample.trace())))).isEqualTo(TraceRowText.rows(compact));
    }

    @Test
    void aSceneRoundTrips() throws IOException {
        for (WireFormat format : new WireFormat[] {WireFormat.PLAIN, WireFormat.COMPACT, WireFormat.COMPRESSED}) {
            Scene scene = new Scene();
            SceneProcess process = scene.process(100, "com.example");
            SceneThread main = process.mainThread("com.example", 110);
            SceneThread worker = process.thread(101, "worker", 120);
            main.begin("outer")
                    .runs(0, ms(2))
                    .begin("inner")
                    .sleeps(ms(5))
                    .wokenBy(worker)
                    .runnable(ms(6));
            main.runs(0, ms(8)).end().end();
            worker.runs(1, ms(6))
                    .sleepsUninterruptibly(ms(7), true, "folio_wait_bit")
                    .runnable(ms(7.5))
                    .runs(1, ms(8));
            Trace trace = read(scene.toBytes(format));

            assertThat(trace.warnings()).as("%s", format).isEmpty();
            assertThat(TraceRowText.rows(trace))
                    .as("%s", format)
                    .anyMatch(row -> row.startsWith("thread 100 com.example main of 100 com.example"))
                    .anyMatch(row -> row.matches("thread 100 \\d+\\+3000000 SLEEPING cpu 0 prio 110 .*"))
                    .anyMatch(row -> row.matches("thread 100 \\d+\\+1000000 RUNNABLE cpu 0 prio 110 waker 101 .*"))
                    .anyMatch(row -> row.matches("thread 101 \\d+\\+\\d+ UNINTERRUPTIBLE .* true folio_wait_bit .*"))
                    .anyMatch(row -> row.matches("thread 100 \\d+\\+\\d+ inner depth 1 in outer"));
        }
    }

    @Test
    void timesOfTheGlobalClockAreMoved() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Scene scene = LauncherExample.scene();
        try (TraceWriter writer = new TraceWriter(out, WireFormat.COMPACT)) {
            writer.globalFtraceClock(Scene.START_NS, Scene.START_NS - 44_000_000);
            scene.writeTo(writer);
        }
        Trace moved = read(out.toByteArray());
        Trace still = read(LauncherExample.trace());

        assertThat(moved.threadStates().ts(0)).isEqualTo(still.threadStates().ts(0) - 44_000_000);
        assertThat(moved.threadStates().size()).isEqualTo(still.threadStates().size());
    }

    @Test
    void anExitEndsAThreadWithoutAFree() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (TraceWriter writer = new TraceWriter(out, WireFormat.PLAIN)) {
            Task task = new Task(11, "worker", 120);
            writer.cpu(0).schedSwitch(100, Task.idle(0), PrevState.RUNNABLE, task);
            writer.cpu(0).schedProcessExit(190, task, 10);
            writer.cpu(0).schedSwitch(200, task, PrevState.DEAD, Task.idle(0));
            writer.cpu(0).print(300, 10, "B|10|later");
        }
        Trace trace = read(out.toByteArray());
        assertThat(trace.threads().endNs(trace.threads().find(11, 150))).isEqualTo(200);
        assertThat(trace.skipped()).isEqualTo(new Trace.Skipped(0, 0));
    }

    @Test
    void lostEventsAreAWarning() throws IOException {
        Scene scene = LauncherExample.scene();
        scene.dataLoss(0, ms(10));
        assertThat(read(scene.toBytes(WireFormat.COMPACT)).warnings())
                .singleElement()
                .asString()
                .contains("events were lost");
    }

    @Test
    void unusableFilesSayWhyInOneLine() throws IOException {
        assertUnusable(folder.resolve("missing"), "no such file");
        assertUnusable(folder, "a directory");
        assertUnusable(file(new byte[0]), ": empty file");
        assertUnusable(
                file(new byte[] {(byte) 0xff, (byte) 0xd8, (byte) 0xff, (byte) 0xe0, 0, 16}),
                "an image, not a trace (expected ");
        assertUnusable(file("PK\3\4 and so on".getBytes(StandardCharsets.ISO_8859_1)), "zip archive");
        assertUnusable(file("FLR\0\0\2\0\1".getBytes(StandardCharsets.ISO_8859_1)), "Flight Recorder");
        assertUnusable(file("<!DOCTYPE html><html>".getBytes(StandardCharsets.UTF_8)), "HTML");
        assertUnusable(
                file("# tracer: nop\n#\n".getBytes(StandardCharsets.UTF_8)), "no readable event in the systrace text");
        assertUnusable(file(new byte[4096]), "not a trace");
        assertUnusable(file("\27\10Dtracing6\0".getBytes(StandardCharsets.ISO_8859_1)), "a trace-cmd recording: not");
        String metadata = "\"command_line\": \"%s\"".formatted("x".repeat(100_000));
        assertUnusable(
                file("{%s, \"traceEvents\": []}".formatted(metadata).getBytes(StandardCharsets.UTF_8)),
                "a Chrome JSON trace: not supported");
        assertUnusable(
                file("{%s, \"events\": []}".formatted(metadata).getBytes(StandardCharsets.UTF_8)),
                "text, but not a trace");
        for (String json :
                List.of("{\"traceEvents\":[]}", "\n {\"a\": 1,\n\"traceEvents\": []}", "\n[\n{\"ph\": \"X\"}]")) {
            assertUnusable(file(json.getBytes(StandardCharsets.UTF_8)), "a Chrome JSON trace: not supported");
        }
        for (String json : List.of("{\"events\":[]}", "[{\"name\": 1}]")) {
            assertUnusable(file(json.getBytes(StandardCharsets.UTF_8)), "text, but not a trace");
        }
        assertUnusable(
                file("FLR\0\0\0\0\11 and so on".getBytes(StandardCharsets.ISO_8859_1)),
                "Flight Recorder format 0.9, written by JDK 7 or 8: not supported; record with JDK 11 or later");
        assertUnusable(
                file("FLR\0\0\3\0\0 and so on".getBytes(StandardCharsets.ISO_8859_1)),
                "Flight Recorder format 3.0: not supported; it is newer than the formats 1 and 2, which can be read");
        assertUnusable(
                file("a letter".getBytes(StandardCharsets.UTF_8)),
                "text, but not a trace (expected Perfetto, systrace or JFR)");
        assertUnusable(file("\nhello world\n".getBytes(StandardCharsets.UTF_8)), "text, but not a trace");
        assertUnusable(
                file("\ufeff{\"traceEvents\":[]}".getBytes(StandardCharsets.UTF_8)),
                "a Chrome JSON trace: not supported");
        assertUnusable(file("\ufeff<!DOCTYPE html><html>".getBytes(StandardCharsets.UTF_8)), "an HTML page without");
        assertUnusable(file("\ufeffa letter".getBytes(StandardCharsets.UTF_8)), "text, but not a trace");
        assertUnusable(file(gzip(new byte[4096])), "not a trace");
        assertUnusable(file(Arrays.copyOf(gzip(LauncherExample.trace()), 6)), "truncated");
        assertUnusable(file(Arrays.copyOf(LauncherExample.trace(), 5)), "truncated within its first packet");
    }

    /** A diagnosis of such a file would say that nothing was recorded. */
    @Test
    void aTraceThatIsTruncatedBeforeItsFirstEventIsRefused() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (TraceWriter writer = new TraceWriter(out, WireFormat.PLAIN)) {
            writer.clockSnapshot(1_000, 2_000);
        }
        byte[] noEvent = out.toByteArray();
        assertThat(read(noEvent).endNs()).isZero();

        byte[] cut = Arrays.copyOf(noEvent, noEvent.length + 3);
        cut[noEvent.length] = 0x0a;
        cut[noEvent.length + 1] = 100;
        assertUnusable(file(cut), "truncated before its first event; copy or record it again");
    }

    @Test
    void anEmptyFileIsATraceWithoutEventsWhereAllowed() throws IOException {
        Trace trace = TraceReader.readOrEmpty(List.of(file(new byte[0])));
        assertThat(trace.threadStates().size() + trace.slices().size()).isZero();
        assertThat(trace.endNs()).isZero();
        assertThat(trace.warnings()).singleElement().asString().endsWith(": empty file");
        // Near misses: a file without packets, and an empty file beside another.
        assertThatThrownBy(() -> TraceReader.readOrEmpty(List.of(file(new byte[1]))))
                .isInstanceOf(UnusableTraceException.class);
        Path empty = Files.write(folder.resolve("empty"), new byte[0]);
        assertThatThrownBy(() -> TraceReader.readOrEmpty(List.of(file(LauncherExample.trace()), empty)))
                .hasMessageContaining("empty file");
    }

    @Test
    void randomBytesAreNoTrace() throws IOException {
        Random random = new Random(7);
        for (int i = 0; i < 300; i++) {
            byte[] bytes = new byte[1 + random.nextInt(3000)];
            random.nextBytes(bytes);
            if (i % 2 == 0) {
                bytes[0] = 0x0a; // like the start of a packet
            }
            readOrRefuse(file(bytes));
        }
    }

    @Test
    void aTruncatedTraceIsReadUpToItsEnd() throws IOException {
        byte[] whole = LauncherExample.trace();
        int states = 0;
        for (int length = 0; length < whole.length; length++) {
            Trace trace = readOrRefuse(file(Arrays.copyOf(whole, length)));
            if (trace != null) {
                assertThat(trace.threadStates().size()).isGreaterThanOrEqualTo(states);
                states = trace.threadStates().size();
                assertThat(TraceRowText.rows(trace)).isNotEmpty();
            }
        }
        assertThat(states).isPositive();
        Trace cut = read(Arrays.copyOf(whole, whole.length - 1));
        assertThat(cut.warnings()).anyMatch(line -> line.contains("truncated within a packet"));
    }

    @Test
    void aTruncatedCompressedTraceIsReadUpToItsEnd() throws IOException {
        byte[] gzipped = gzip(LauncherExample.trace());
        byte[] compressed = LauncherExample.scene().toBytes(WireFormat.COMPRESSED);
        for (byte[] whole : new byte[][] {gzipped, compressed}) {
            for (int length = 0; length < whole.length; length++) {
                readOrRefuse(file(Arrays.copyOf(whole, length)));
            }
        }
    }

    @Test
    void aLengthOfTwoToTheSixtyEndsTheTrace() throws IOException {
        byte[] good = LauncherExample.trace();
        byte[] bytes = Arrays.copyOf(good, good.length + 12);
        byte[] claim = {0x0a, -128, -128, -128, -128, -128, -128, -128, -128, 0x10, 0x08, 0x01};
        System.arraycopy(claim, 0, bytes, good.length, claim.length);
        Trace trace = read(bytes);

        assertThat(TraceRowText.rows(trace)).isEqualTo(TraceRowText.rows(read(good)));
        assertThat(trace.warnings()).singleElement().asString().contains("byte " + good.length);
        assertUnusable(file(claim), "truncated within its first packet");
    }

    @Test
    void unknownPacketsAndEventsAreSkipped() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (TraceWriter writer = new TraceWriter(out, WireFormat.COMPACT)) {
            writer.cpu(0).event(1, 5, 999, new byte[] {0x08, 0x01});
            LauncherExample.scene().writeTo(writer);
        }
        ProtoWriter packet = new ProtoWriter();
        packet.string(1000, "of the future");
        ProtoWriter trace = new ProtoWriter();
        trace.message(PacketFields.Trace.PACKET, packet);
        trace.varint(9, 5);
        trace.string(10, "no packet at all");
        out.writeBytes(trace.toByteArray());

        Trace read = read(out.toByteArray());
        Trace example = read(LauncherExample.trace());
        assertThat(TraceRowText.rows(read)).isEqualTo(TraceRowText.rows(example));
        assertThat(read.warnings()).isEmpty();
        assertThat(example.skipped()).isEqualTo(new Trace.Skipped(0, 0));
        assertThat(read.skipped()).isEqualTo(new Trace.Skipped(1, 1));
    }

    @Test
    void bombsAreDefused() throws IOException {
        byte[] good = LauncherExample.trace();
        // 200 MB of skippable packets in some 200 kB.
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ProtoWriter filler = new ProtoWriter();
        ProtoWriter content = new ProtoWriter();
        content.bytes(33, new byte[1 << 20]);
        filler.message(PacketFields.Trace.PACKET, content);
        byte[] megabyte = filler.toByteArray();
        try (OutputStream zip = new GZIPOutputStream(out)) {
            zip.write(good);
            for (int i = 0; i < 200; i++) {
                zip.write(megabyte);
            }
        }
        Trace trace = read(out.toByteArray());
        assertThat(trace.threadStates().size())
                .isEqualTo(read(good).threadStates().size());
        assertThat(trace.warnings()).anyMatch(line -> line.contains("exceeds the limit"));

        ProtoWriter packet = new ProtoWriter();
        byte[] inflated = new byte[100 * megabyte.length];
        for (int i = 0; i < 100; i++) {
            System.arraycopy(megabyte, 0, inflated, i * megabyte.length, megabyte.length);
        }
        packet.bytes(PacketFields.TracePacket.COMPRESSED_PACKETS, deflate(inflated));
        ProtoWriter bomb = new ProtoWriter();
        bomb.message(PacketFields.Trace.PACKET, packet);
        assertThat(read(bomb.toByteArray()).warnings()).anyMatch(line -> line.contains("exceeds the limit"));
    }

    @Test
    void packetsWithinCompressedPacketsWithinCompressedPacketsAreNotFollowed() throws IOException {
        byte[] inner = LauncherExample.scene().toBytes(WireFormat.COMPRESSED);
        ProtoWriter packet = new ProtoWriter();
        packet.bytes(PacketFields.TracePacket.COMPRESSED_PACKETS, deflate(inner));
        ProtoWriter trace = new ProtoWriter();
        trace.message(PacketFields.Trace.PACKET, packet);
        assertThat(read(trace.toByteArray()).hasScheduling()).isFalse();
    }

    private Trace read(byte[] bytes) throws IOException {
        return TraceReader.read(file(bytes));
    }

    private Path file(byte[] bytes) throws IOException {
        return Files.write(folder.resolve("trace"), bytes);
    }

    private static Trace readOrRefuse(Path file) throws IOException {
        try {
            return TraceReader.read(file);
        } catch (UnusableTraceException e) {
            assertThat(e).hasMessageStartingWith(file.toString()).message().hasLineCount(1);
            return null;
        }
    }

    private static void assertUnusable(Path file, String why) {
        assertThatThrownBy(() -> TraceReader.read(file))
                .isInstanceOf(UnusableTraceException.class)
                .hasMessageStartingWith(file.toString())
                .hasMessageContaining(why)
                .message()
                .hasLineCount(1);
    }

    private static byte[] gzip(byte[] bytes) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (OutputStream zip = new GZIPOutputStream(out)) {
            zip.write(bytes);
        }
        return out.toByteArray();
    }

    private static byte[] deflate(byte[] bytes) {
        byte[] out = new byte[bytes.length + 100];
        try (Deflater deflater = new Deflater()) {
            deflater.setInput(bytes);
            deflater.finish();
            return Arrays.copyOf(out, deflater.deflate(out));
        }
    }
}
