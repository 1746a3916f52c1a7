package dev.unjank.trace.read.perfetto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unjank.scene.LauncherExample;
import dev.unjank.trace.concurrent.TestExecutor;
import dev.unjank.trace.proto.PacketFields;
import dev.unjank.trace.proto.PacketFields.TracePacket;
import dev.unjank.trace.proto.ProtoWriter;
import dev.unjank.trace.read.input.MappedBytes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The packets are the same with and without prefetching. */
class PacketPrefetcherTest {
    private static final int MANY = 20_000;

    /** A packet: its bytes, its offset, and its header. */
    private record Seen(List<Byte> bytes, long offset, String frame, String left) {}

    @ParameterizedTest
    @EnumSource
    void theSamePackets(TestExecutor executor) throws IOException {
        byte[] bytes = bytes();
        List<Seen> alone = all(stream(bytes));
        assertThat(alone).hasSizeGreaterThan(MANY);
        try (PacketSource ahead = new PacketPrefetcher(stream(bytes), executor)) {
            assertThat(all(ahead)).isEqualTo(alone);
        }
    }

    @ParameterizedTest
    @EnumSource
    void andTheSameEnd(TestExecutor executor) throws IOException {
        byte[] bytes = bytes();
        for (int cut : new int[] {0, 1, 7, bytes.length / 2, bytes.length - 1}) {
            PacketStream alone = stream(Arrays.copyOf(bytes, cut));
            List<Seen> packets = all(alone);
            PacketStream cutAhead = stream(Arrays.copyOf(bytes, cut));
            try (PacketSource ahead = new PacketPrefetcher(cutAhead, executor)) {
                assertThat(all(ahead)).isEqualTo(packets);
            }
            assertThat(cutAhead.end()).isEqualTo(alone.end());
            assertThat(cutAhead.offset()).isEqualTo(alone.offset());
        }
    }

    @ParameterizedTest
    @EnumSource
    void failuresAreRethrown(TestExecutor executor) {
        for (Exception wrong : List.of(new IOException("disk"), new IllegalArgumentException("mistake"))) {
            PacketStream stream = new PacketStream(
                    (into, from, length) -> {
                        if (wrong instanceof IOException e) {
                            throw e;
                        }
                        throw (RuntimeException) wrong;
                    },
                    1 << 10);
            try (PacketSource ahead = new PacketPrefetcher(stream, executor)) {
                assertThatThrownBy(() -> all(ahead)).hasStackTraceContaining(String.valueOf(wrong.getMessage()));
            }
        }
    }

    /** Otherwise the thread would continue in a file that is no longer mapped. */
    @ParameterizedTest
    @EnumSource
    void closingEarlyStopsTheThread(TestExecutor executor) throws IOException {
        byte[] bytes = bytes();
        PacketStream stream = stream(bytes);
        try (PacketSource ahead = new PacketPrefetcher(stream, executor)) {
            assertThat(ahead.next(new PacketHeader())).isTrue();
        }
        long left = stream.offset();
        assertThat(left).isLessThan(bytes.length);
        assertThat(stream.next()).as("the stream is free again").isTrue();
    }

    private static PacketStream stream(byte[] bytes) {
        return new PacketStream(new MappedBytes(MemorySegment.ofArray(bytes)));
    }

    private static List<Seen> all(PacketSource packets) throws IOException {
        List<Seen> seen = new ArrayList<>();
        PacketHeader frame = new PacketHeader();
        while (packets.next(frame)) {
            List<Byte> bytes = new ArrayList<>();
            for (int i = packets.from(); i < packets.to(); i++) {
                bytes.add(packets.bytes()[i]);
            }
            String header = frame.timestamp + " " + frame.clockId + " " + frame.sequenceId + " "
                    + frame.sequenceFlags + " " + frame.content + " " + (frame.contentAt - packets.from()) + " "
                    + frame.isMalformed() + frame.hasState() + frame.packetsDropped();
            String left = packets.hasSkippedBundle() ? packets.skippedOffset() + " " + packets.skippedLength() : "";
            seen.add(new Seen(bytes, packets.offsetOf(packets.from()), header, left));
        }
        return seen;
    }

    /** Packets of track events, with large ones, damaged ones, and bundles of kernel events among them. */
    private static byte[] bytes() {
        Random random = new Random(5);
        ProtoWriter packets = new ProtoWriter();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int i = 0; i < MANY; i++) {
            int packet = packets.begin(PacketFields.Trace.PACKET);
            packets.varint(TracePacket.TIMESTAMP, random.nextLong() >>> random.nextInt(64));
            if (random.nextBoolean()) {
                packets.varint(TracePacket.TIMESTAMP_CLOCK_ID, 64 + random.nextInt(3));
            }
            packets.bytes(TracePacket.TRACK_EVENT, new byte[i % 5_000 == 4_999 ? 300_000 : random.nextInt(60)]);
            packets.varint(TracePacket.TRUSTED_PACKET_SEQUENCE_ID, random.nextInt(5) - 1);
            packets.varint(TracePacket.SEQUENCE_FLAGS, random.nextInt(4));
            switch (random.nextInt(40)) {
                case 0 -> packets.varint(TracePacket.PREVIOUS_PACKET_DROPPED, 1);
                case 1 -> packets.bytes(TracePacket.INTERNED_DATA, new byte[10]);
                case 2 -> packets.varint(0, 1); // there is no such field
                default -> {}
            }
            packets.end(packet);
            if (i == MANY / 2) {
                out.writeBytes(packets.toByteArray());
                packets = new ProtoWriter();
                out.writeBytes(LauncherExample.trace());
            }
        }
        out.writeBytes(packets.toByteArray());
        return out.toByteArray();
    }
}
