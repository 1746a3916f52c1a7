package dev.unjank.trace.read.perfetto.ftrace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.scene.LauncherExample;
import dev.unjank.scene.Scene;
import dev.unjank.scene.TraceRepeater;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.proto.FtraceFields;
import dev.unjank.trace.proto.PacketFields;
import dev.unjank.trace.proto.PacketFields.TracePacket;
import dev.unjank.trace.proto.ProtoReader;
import dev.unjank.trace.proto.ProtoWriter;
import dev.unjank.trace.read.ParallelReading;
import dev.unjank.trace.read.TraceRowText;
import dev.unjank.trace.read.common.Parallelism;
import dev.unjank.trace.write.AtraceMarks;
import dev.unjank.trace.write.TraceWriter;
import dev.unjank.trace.write.WireFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The result does not depend on the number of threads and of ranges. */
class ParallelBundleImportTest {
    private static final Parallelism ALONE = new Parallelism(Runnable::run, 1, 1);

    @TempDir
    private Path folder;

    @Test
    void theNumberOfThreadsMakesNoDifference() throws IOException {
        for (WireFormat format : new WireFormat[] {WireFormat.PLAIN, WireFormat.COMPACT}) {
            byte[] bytes = repeated(LauncherExample.scene().toBytes(format));
            assertThat(bundles(bytes)).isGreaterThan(20);
            assertSameInRanges(bytes);
        }
    }

    @Test
    void norIfBundlesLieInNoOrder() throws IOException {
        for (WireFormat format : new WireFormat[] {WireFormat.PLAIN, WireFormat.COMPACT}) {
            byte[] bytes = shuffled(repeated(LauncherExample.scene().toBytes(format)), new Random(3));
            assertSameInRanges(bytes);
        }
    }

    @Test
    void norIfAClockHasToBeMovedAndEventsAreSkippedOrBroken() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (TraceWriter writer = new TraceWriter(out, WireFormat.COMPACT)) {
            writer.globalFtraceClock(Scene.START_NS, Scene.START_NS - 44_000_000);
            LauncherExample.scene().writeTo(writer);
            long end = Scene.START_NS + Scene.ms(100);
            for (int i = 0; i < 40; i++) {
                writer.cpu(i % 3).event(end + i, 5, 999, new byte[] {0x08, 0x01}); // of an unknown kind
                writer.cpu(i % 3).event(end + i, 5, FtraceFields.FtraceEvent.SCHED_WAKING, new byte[] {0x10, 0x05});
                writer.cpu(i % 3).print(end + i, 5, AtraceMarks.counter(5, "counter " + i % 7, i));
                writer.cpu(i % 3).print(end + i, 5, "no mark");
                writer.flush();
            }
            writer.cpu(5000).print(end, 5, AtraceMarks.instant(5, "of an impossible CPU"));
        }
        byte[] bytes = out.toByteArray();
        assertThat(read(bytes, ALONE).skipped().ftraceEvents()).isEqualTo(80);
        assertSameInRanges(bytes);
    }

    @Test
    void damageInARangeIsCounted() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(LauncherExample.trace());
        ProtoWriter damaged = new ProtoWriter();
        for (int i = 0; i < 30; i++) {
            int packet = damaged.begin(PacketFields.Trace.PACKET);
            int bundle = damaged.begin(TracePacket.FTRACE_EVENTS);
            damaged.varint(FtraceFields.FtraceEventBundle.CPU, 0);
            damaged.bytes(FtraceFields.FtraceEventBundle.EVENT, new byte[] {0x08, 0x01}); // a time and nothing else
            damaged.end(bundle);
            damaged.end(packet);
        }
        out.writeBytes(damaged.toByteArray());
        assertThat(read(out.toByteArray(), parallelism(4)).warnings())
                .containsExactly("skipped: 30 damaged kernel events");
        assertSameInRanges(out.toByteArray());
    }

    /**
     * After a first bundle with the boot clock, headers are deferred; a later one with another clock contradicts the
     * assumption.
     */
    @Test
    void orOnClocksOfLaterBundles() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        long lead = 44_000_000;
        try (TraceWriter writer = new TraceWriter(out, WireFormat.PLAIN)) {
            LauncherExample.scene().writeTo(writer);
            writer.flush();
            writer.globalFtraceClock(Scene.START_NS + lead, Scene.START_NS);
            for (int i = 0; i < 100; i++) {
                writer.cpu(i % 3).print(Scene.START_NS + Scene.ms(100) + i, 5, AtraceMarks.instant(5, "moved"));
                writer.flush();
            }
        }
        byte[] bytes = out.toByteArray();
        Trace trace = read(bytes, ALONE);
        assertThat(trace.warnings()).isEmpty();
        assertThat(trace.startNs())
                .isEqualTo(read(LauncherExample.trace(), ALONE).startNs());
        assertSameInRanges(bytes);
    }

    private void assertSameInRanges(byte[] bytes) throws IOException {
        Trace alone = read(bytes, ALONE);
        List<String> threads = threads(alone);
        List<String> rows = TraceRowText.rows(alone);
        for (int stretches : new int[] {2, 3, 8, 50}) {
            Trace shared = read(bytes, parallelism(stretches));
            assertThat(TraceRowText.rows(shared)).as("%s stretches", stretches).isEqualTo(rows);
            assertThat(threads(shared)).as("%s stretches", stretches).isEqualTo(threads);
            assertThat(shared.warnings()).isEqualTo(alone.warnings());
            assertThat(shared.skipped()).isEqualTo(alone.skipped());
            assertThat(shared.startNs()).isEqualTo(alone.startNs());
            assertThat(shared.endNs()).isEqualTo(alone.endNs());
        }
    }

    /** The tids and names of threads, which {@link TraceRowText#rows} omits. */
    private static List<String> threads(Trace trace) {
        List<String> threads = new ArrayList<>();
        for (int utid = 0; utid < trace.threads().size(); utid++) {
            threads.add(trace.threads().tid(utid) + " " + trace.threads().startNs(utid) + " "
                    + trace.threads().endNs(utid) + " " + trace.threads().upid(utid));
        }
        return threads;
    }

    private static byte[] repeated(byte[] source) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        TraceRepeater.repeat(source, 300_000, out);
        return out.toByteArray();
    }

    private static int bundles(byte[] bytes) {
        int bundles = 0;
        for (byte[] packet : packets(bytes)) {
            bundles += isBundle(packet) ? 1 : 0;
        }
        return bundles;
    }

    /** The same packets with the bundles in another order, except the first, on which the others depend. */
    private static byte[] shuffled(byte[] bytes, Random random) {
        List<byte[]> packets = packets(bytes);
        List<Integer> places = new ArrayList<>();
        for (int i = 0; i < packets.size(); i++) {
            if (isBundle(packets.get(i))) {
                places.add(i);
            }
        }
        List<Integer> others = places.subList(1, places.size());
        List<Integer> order = new ArrayList<>(others);
        Collections.shuffle(order, random);
        List<byte[]> moved = new ArrayList<>(packets);
        for (int i = 0; i < order.size(); i++) {
            moved.set(others.get(i), packets.get(order.get(i)));
        }
        ProtoWriter trace = new ProtoWriter();
        moved.forEach(packet -> trace.bytes(PacketFields.Trace.PACKET, packet));
        return trace.toByteArray();
    }

    private static List<byte[]> packets(byte[] bytes) {
        List<byte[]> packets = new ArrayList<>();
        ProtoReader reader = new ProtoReader();
        reader.reset(bytes, 0, bytes.length);
        while (reader.next()) {
            packets.add(Arrays.copyOfRange(bytes, reader.from(), reader.to()));
        }
        return packets;
    }

    private static boolean isBundle(byte[] packet) {
        ProtoReader reader = new ProtoReader();
        reader.reset(packet, 0, packet.length);
        while (reader.next()) {
            if (reader.field() == TracePacket.FTRACE_EVENTS) {
                return true;
            }
        }
        return false;
    }

    /** A thread for each task, whatever the number of processors. */
    private static Parallelism parallelism(int threads) {
        return new Parallelism(task -> new Thread(task).start(), threads, 1);
    }

    private Trace read(byte[] bytes, Parallelism parallelism) throws IOException {
        return ParallelReading.read(Files.write(folder.resolve("trace"), bytes), parallelism);
    }
}
