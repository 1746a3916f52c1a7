package dev.unjank.trace.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.scene.LauncherExample;
import dev.unjank.scene.TraceInvariants;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.model.UnusableTraceException;
import dev.unjank.trace.proto.FtraceFields;
import dev.unjank.trace.proto.PacketFields;
import dev.unjank.trace.proto.ProtoWriter;
import dev.unjank.trace.write.TraceClock;
import dev.unjank.trace.write.TraceWriter;
import dev.unjank.trace.write.TrackEventWriter;
import dev.unjank.trace.write.TrackWriter;
import dev.unjank.trace.write.WireFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Damage within a trace: the tables stay consistent, and the damage stays local. */
class DamagedTraceTest {
    private static final byte[] EXAMPLE = LauncherExample.trace();

    @TempDir
    private Path dir;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aTraceWithFlippedBitsIsConsistent(boolean compact) throws IOException {
        flipBits(LauncherExample.scene().toBytes(new WireFormat(compact, false)));
    }

    @Test
    void trackEventsWithFlippedBitsAreConsistent() throws IOException {
        flipBits(trackEvents());
    }

    /** Slices, flows, messages and counters on the tracks of two threads. */
    static byte[] trackEvents() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (TraceWriter writer = new TraceWriter(bytes, WireFormat.PLAIN)) {
            long ui = TrackWriter.ofThread(10, 11);
            long worker = TrackWriter.ofThread(10, 12);
            writer.clockSnapshot(1_000, 2_000);
            TrackEventWriter events = writer.trackEvents(TraceClock.MONOTONIC, ui);
            events.tracks().process(1_000, 10, "app");
            events.tracks().thread(1_000, 10, 11, "ui");
            events.tracks().thread(1_000, 10, 12, "worker");
            events.tracks().counter(1_000, ui, "depth", TrackWriter.Unit.COUNT);
            for (int i = 0; i < 8; i++) {
                events.instant(1_000 + i * 10, worker, "mq", "post")
                        .flow(i)
                        .messageQueue("worker", "ui", i, 0)
                        .write();
                events.begin(1_005 + i * 10, ui, "mq", "run " + i % 3)
                        .terminatingFlow(i)
                        .messageQueue("worker", "ui", i, 0)
                        .write();
                events.counter(1_006 + i * 10, TrackWriter.ofCounter(ui, "depth"), i);
                events.end(1_008 + i * 10, ui).write();
            }
        }
        return bytes.toByteArray();
    }

    private void flipBits(byte[] good) throws IOException {
        Random random = new Random(42);
        for (int i = 0; i < 1000; i++) {
            byte[] bytes = good.clone();
            for (int flips = 1 + random.nextInt(8); flips > 0; flips--) {
                bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
            }
            try {
                TraceInvariants.check(TraceReader.read(file(bytes)));
            } catch (UnusableTraceException e) {
                assertThat(e).message().hasLineCount(1);
            }
        }
    }

    @Test
    void aFieldThatClaimsAnExabyteHarmsItsPacketOnly() throws IOException {
        ProtoWriter bundle = new ProtoWriter();
        int packet = bundle.begin(PacketFields.Trace.PACKET);
        int events = bundle.begin(PacketFields.TracePacket.FTRACE_EVENTS);
        bundle.rawVarint((FtraceFields.FtraceEventBundle.EVENT << 3) | 2);
        bundle.rawVarint(1L << 60);
        bundle.end(events);
        bundle.end(packet);
        Trace trace = TraceReader.read(file(EXAMPLE, bundle.toByteArray(), EXAMPLE));
        assertThat(trace.warnings()).singleElement().asString().isEqualTo("skipped: 1 damaged bundle of kernel events");
        assertThat(trace.threadStates().size())
                .isGreaterThan(TraceReader.read(file(EXAMPLE)).threadStates().size());
    }

    /** The largest time is reserved in columns of scheduler events. */
    @Test
    void anEventAtTheEndOfTimeHarmsNoSchedulerEvents() throws IOException {
        ProtoWriter bundle = new ProtoWriter();
        int packet = bundle.begin(PacketFields.Trace.PACKET);
        int events = bundle.begin(PacketFields.TracePacket.FTRACE_EVENTS);
        bundle.varint(FtraceFields.FtraceEventBundle.CPU, 0);
        int columns = bundle.begin(FtraceFields.FtraceEventBundle.COMPACT_SCHED);
        bundle.string(FtraceFields.CompactSched.INTERN_TABLE, "late");
        bundle.bytes(FtraceFields.CompactSched.SWITCH_TIMESTAMP, new byte[] {100});
        bundle.bytes(FtraceFields.CompactSched.SWITCH_PREV_STATE, new byte[] {1});
        bundle.bytes(FtraceFields.CompactSched.SWITCH_NEXT_PID, new byte[] {77});
        bundle.bytes(FtraceFields.CompactSched.SWITCH_NEXT_PRIO, new byte[] {120});
        bundle.bytes(FtraceFields.CompactSched.SWITCH_NEXT_COMM_INDEX, new byte[] {0});
        bundle.end(columns);
        int event = bundle.begin(FtraceFields.FtraceEventBundle.EVENT);
        bundle.varint(FtraceFields.FtraceEvent.TIMESTAMP, Long.MAX_VALUE);
        bundle.varint(FtraceFields.FtraceEvent.PID, 1);
        bundle.end(bundle.begin(FtraceFields.FtraceEvent.PRINT));
        bundle.end(event);
        bundle.end(events);
        bundle.end(packet);
        Trace trace = TraceReader.read(file(bundle.toByteArray()));
        TraceInvariants.check(trace);
        assertThat(trace.threads().size()).isEqualTo(2);
    }

    @Test
    void damageToCompressedPacketsIsSaid() throws IOException {
        byte[] compressed = LauncherExample.scene().toBytes(WireFormat.COMPRESSED);
        compressed[compressed.length / 2] ^= 0x55;
        Trace trace = TraceReader.read(file(compressed, EXAMPLE));
        assertThat(trace.warnings())
                .isNotEmpty()
                .allSatisfy(line -> assertThat(line).contains("damaged"));
        assertThat(trace.threadStates().size())
                .isGreaterThanOrEqualTo(
                        TraceReader.read(file(EXAMPLE)).threadStates().size());
    }

    private Path file(byte[]... parts) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.write(part);
        }
        return Files.write(dir.resolve("damaged.pftrace"), all.toByteArray());
    }
}
