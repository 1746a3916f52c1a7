package dev.unjank.trace.read.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.fixture.jfr.JfrChunkWriter;
import dev.unjank.fixture.jfr.JfrTestRecordings;
import dev.unjank.trace.model.Counters;
import dev.unjank.trace.model.DataLoss;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.read.jfr.JfrChunks.Chunk;
import dev.unjank.trace.read.jfr.JfrChunks.JavaThread;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class JfrChunksTest {
    @Test
    void aRecordingIsTakenApart() {
        byte[] bytes = JfrTestRecordings.example();

        List<Chunk> chunks = JfrChunks.split(MemorySegment.ofArray(bytes));

        assertThat(chunks)
                .extracting(Chunk::startTicks)
                .containsExactly(JfrTestRecordings.START_TICKS, JfrTestRecordings.START_TICKS + 500_000);
        assertThat(chunks.stream().mapToLong(chunk -> chunk.bytes().byteSize()).sum())
                .isEqualTo(bytes.length);
    }

    @Test
    void bytesBetweenChunksAreSkipped() {
        byte[] example = JfrTestRecordings.example();
        byte[] dirty = JfrTestRecordings.joined(new byte[] {1, 2, 3}, example, new byte[] {4});

        assertThat(JfrChunks.split(MemorySegment.ofArray(dirty))).hasSize(2);
        assertThat(JfrChunks.split(MemorySegment.ofArray(new byte[0]))).isEmpty();
        for (int length = 0; length < example.length; length += 7) {
            MemorySegment cut = MemorySegment.ofArray(Arrays.copyOf(example, length));
            assertThat(JfrChunks.split(cut)).hasSizeLessThanOrEqualTo(2);
            JfrChunks.split(cut).forEach(chunk -> JfrChunks.threads(chunk.bytes()));
        }
    }

    @Test
    void allThreadsAreListed() {
        JfrChunkWriter chunk = JfrTestRecordings.chunk()
                .thread(4, 0, 77, "a virtual one")
                .checkpoint()
                .metadata();

        List<JavaThread> threads = JfrChunks.threads(MemorySegment.ofArray(chunk.toByteArray()));

        assertThat(threads)
                .containsExactlyInAnyOrder(
                        new JavaThread(1, 101, "main"),
                        new JavaThread(12, 102, "worker"),
                        new JavaThread(13, 103, "saver"),
                        new JavaThread(77, 1 << 30 | 77, "a virtual one"));
        assertThat(threads).filteredOn(JavaThread::isVirtual).hasSize(1);
    }

    @Test
    void clockReadingsBecomeCounters() {
        JfrChunkWriter chunk = JfrTestRecordings.chunk();
        chunk.eventType(
                "dev.unjank.Clock",
                new JfrChunkWriter.F("startTime", JfrChunkWriter.LONG),
                new JfrChunkWriter.F("nanoTime", JfrChunkWriter.LONG),
                new JfrChunkWriter.F("error", JfrChunkWriter.LONG));
        chunk.event(
                "dev.unjank.Clock",
                out -> out.number(JfrTestRecordings.START_TICKS + 30)
                        .number(123_456_789)
                        .number(40));
        JfrTestRecordings.information(chunk).checkpoint().metadata();

        Trace trace = SmallRecordings.read(chunk);

        Counters counters = trace.counters();
        assertThat(counters.tracks()).isEqualTo(2);
        assertThat(counters.name(0)).isEqualTo(JfrChunks.NANO_TIME);
        assertThat(counters.ts(counters.first(0))).isEqualTo(JfrTestRecordings.START_NS + 30_000);
        assertThat(counters.value(counters.first(0))).isEqualTo(123_456_789);
        assertThat(counters.value(counters.first(1))).isEqualTo(40);
    }

    @Test
    void droppedBytesAreACounter() {
        JfrChunkWriter chunk = JfrTestRecordings.chunk();
        JfrTestRecordings.kind(chunk, "jdk.DataLoss", new JfrChunkWriter.F("amount", JfrChunkWriter.LONG));
        for (int i = 1; i <= 2; i++) {
            int bytes = 100 * i;
            long at = JfrTestRecordings.START_TICKS + 1_000L * i;
            chunk.event("jdk.DataLoss", out -> out.number(at).number(0).number(bytes));
        }
        Trace trace = SmallRecordings.read(chunk.checkpoint().metadata());

        Counters counters = trace.counters();
        assertThat(counters.tracks()).isEqualTo(1);
        assertThat(counters.name(0)).isEqualTo(JfrChunks.LOST);
        assertThat(counters.unit(0)).isEqualTo("bytes");
        assertThat(counters.ts(1)).isEqualTo(JfrTestRecordings.START_NS + 2_000_000);
        assertThat(List.of(counters.value(0), counters.value(1))).containsExactly(100L, 200L);
        assertThat(trace.warnings()).contains("the recorder was too slow and dropped 300 bytes of events");
        assertThat(trace.dataLosses())
                .containsExactly(DataLoss.recorded(
                        DataLoss.ANY_CPU, JfrTestRecordings.START_NS, JfrTestRecordings.START_NS + 2_000_000));
    }
}
