package dev.unjank.trace.read.jfr;

import static dev.unjank.fixture.jfr.JfrTestRecordings.MAIN;
import static dev.unjank.fixture.jfr.JfrTestRecordings.START_TICKS;
import static dev.unjank.fixture.jfr.JfrTestRecordings.WORKER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unjank.fixture.jfr.JfrChunkWriter;
import dev.unjank.fixture.jfr.JfrChunkWriter.F;
import dev.unjank.fixture.jfr.JfrTestRecordings;
import dev.unjank.scene.TraceInvariants;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.model.UnusableTraceException;
import dev.unjank.trace.read.TraceReader;
import dev.unjank.trace.read.jfr.format.Cursor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Truncated, damaged and odd recordings: everything readable is read, and nothing fails. */
class DamagedRecordingTest {
    private static Trace read(byte[] bytes) {
        Trace trace = SmallRecordings.read(bytes);
        TraceInvariants.check(trace);
        return trace;
    }

    private static JfrChunkWriter parks(int count) {
        JfrChunkWriter chunk = JfrTestRecordings.chunk().checkpoint().metadata();
        for (int i = 0; i < count; i++) {
            JfrTestRecordings.park(chunk, MAIN, i * 10L, 5);
        }
        return chunk;
    }

    @Test
    void theExampleIsComplete() {
        Trace trace = read(JfrTestRecordings.example());
        assertThat(trace.slices().size()).isEqualTo(3);
        assertThat(trace.samples().size()).isEqualTo(2);
        assertThat(trace.warnings()).noneMatch(line -> line.contains("damaged") || line.contains("left out"));
    }

    @Test
    void aTruncatedRecordingIsReadUpToItsEnd() {
        byte[] whole = JfrTestRecordings.example();
        int slices = 0;
        for (int length = 0; length <= whole.length; length++) {
            slices =
                    Math.max(slices, read(Arrays.copyOf(whole, length)).slices().size());
        }
        assertThat(slices).isEqualTo(3);
    }

    @Test
    void otherBytesBehindACompleteChunkAreNoDamageOfIt() {
        byte[] example = JfrTestRecordings.example();
        byte[] longer = Arrays.copyOf(example, example.length + 100);
        Arrays.fill(longer, example.length, longer.length, (byte) 'x');
        Trace trace = read(longer);
        assertThat(trace.slices().size()).isEqualTo(3);
        assertThat(trace.warnings())
                .anyMatch(line -> line.endsWith(
                        " is complete; the bytes behind it, from byte " + example.length + ", are no chunk"))
                .noneMatch(line -> line.contains("damaged"));
    }

    /** The messages are those of {@code docs/reference/jfr.md}. */
    @Test
    void aChunkWithoutMetadataIsUnreadable(@TempDir Path folder) throws IOException {
        byte[] chunk = JfrTestRecordings.park(JfrTestRecordings.chunk().checkpoint(), MAIN, 0, 5)
                .killed()
                .toByteArray();
        Path file = Files.write(folder.resolve("cut.jfr"), chunk);
        Path page = Path.of(System.getProperty("unjank.root", ".."), "docs", "reference", "jfr.md");

        String refusal = assertThatThrownBy(() -> TraceReader.read(file))
                .isInstanceOf(UnusableTraceException.class)
                .actual()
                .getMessage();
        assertThat(page).content().contains(refusal.replace(file.toString(), "FILE"));
        Trace trace = read(JfrTestRecordings.joined(JfrTestRecordings.example(), chunk, chunk));
        assertThat(trace.warnings())
                .first(InstanceOfAssertFactories.STRING)
                .isEqualTo("skipped: 2 chunks without metadata")
                .isSubstringOf(Files.readString(page));
        assertThat(trace.unreadParts()).containsExactly("a chunk without metadata");
    }

    @Test
    void aChunkOfAKilledWriterIsReadToItsLastEvent() {
        byte[] chunk = parks(10).killed().toByteArray();
        Trace trace = read(Arrays.copyOf(chunk, chunk.length - 3));
        assertThat(trace.slices().size()).isEqualTo(9);
        assertThat(trace.warnings()).anyMatch(line -> line.contains("is unfinished"));
    }

    @Test
    void aChunkAfterThatOfAKilledWriterIsFound() {
        byte[] killed = parks(10).killed().toByteArray();
        Trace trace = read(JfrTestRecordings.joined(killed, JfrTestRecordings.example()));
        assertThat(trace.slices().size()).isEqualTo(13);
    }

    @Test
    void aSizeThatIsALieDoesNotHideTheNextChunk() {
        byte[] lies = parks(10).toByteArray();
        lies[13] = 1; // half a mebibyte longer than it is
        assertThat(read(JfrTestRecordings.joined(lies, JfrTestRecordings.example()))
                        .slices()
                        .size())
                .isEqualTo(13);
    }

    @Test
    void checkpointsBehindDamageAreFoundByTheirLinks() {
        JfrChunkWriter chunk = JfrTestRecordings.chunk().metadata();
        JfrTestRecordings.park(chunk, MAIN, 0, 5).raw((byte) 0, (byte) 0).checkpoint();
        Trace trace = read(chunk.toByteArray());
        assertThat(SmallRecordings.slices(trace)).containsExactly("main 0+5 parking on app.Store");
        assertThat(trace.warnings()).anyMatch(line -> line.contains("truncated or damaged"));
    }

    @Test
    void eventsOfTypeZeroAndOfUnknownTypesAreSkipped() {
        JfrChunkWriter chunk = JfrTestRecordings.chunk();
        JfrTestRecordings.park(chunk, MAIN, 0, 5);
        chunk.event(0, out -> out.number(1).number(2)).event(98_765, out -> out.text("what is this"));
        JfrTestRecordings.park(chunk, MAIN, 10, 5).checkpoint().metadata();
        Trace trace = read(chunk.toByteArray());
        assertThat(trace.slices().size()).isEqualTo(2);
        assertThat(trace.skipped().packets()).isEqualTo(1);
    }

    @Test
    void anEmptyPoolAndAStringThatIsAConstantAreRead() {
        JfrChunkWriter chunk = JfrTestRecordings.chunk();
        chunk.constant(JfrChunkWriter.STRING, 3, out -> out.text(Cursor.STRING_LATIN1, "STATE_RUNNABLE"));
        chunk.event(
                1,
                out -> out.number(START_TICKS)
                        .number(0)
                        .number(0)
                        .one(0)
                        .number(1)
                        .number(chunk.id(JfrChunkWriter.STRING))
                        .number(0));
        chunk.event(
                JfrTestRecordings.SAMPLE,
                out -> out.number(START_TICKS).number(MAIN).number(9).constantText(3));
        Trace trace = read(chunk.checkpoint().metadata().toByteArray());
        assertThat(trace.samples().isRunning(0)).isTrue();
    }

    @Test
    void aStringThatRefersToItselfIsNoText() {
        JfrChunkWriter chunk = JfrTestRecordings.chunk();
        chunk.constant(JfrChunkWriter.STRING, 3, out -> out.constantText(3));
        chunk.event(
                JfrTestRecordings.SAMPLE,
                out -> out.number(START_TICKS).number(MAIN).number(9).constantText(3));
        Trace trace = read(chunk.checkpoint().metadata().toByteArray());
        assertThat(trace.samples().isRunning(0)).isFalse();
    }

    @Test
    void constantsOfATypeThatContainsItselfEndTheirCheckpointOnly() {
        JfrChunkWriter chunk = JfrTestRecordings.chunk();
        JfrTestRecordings.park(chunk, MAIN, 0, 5).checkpoint();
        chunk.type("a.Circle", new F("inner", "a.Circle"));
        chunk.constant("a.Circle", 1, out -> out.number(1)).checkpoint().metadata();
        Trace trace = read(chunk.toByteArray());
        assertThat(trace.slices().size()).isEqualTo(1);
        assertThat(trace.warnings()).contains("skipped: 1 damaged checkpoint");
    }

    @Test
    void aHugeArrayOfEmptyElementsIsSkippedAtOnce() {
        JfrChunkWriter chunk = JfrTestRecordings.chunk();
        chunk.type("a.Nothing").type("a.Holder", new F("all", "a.Nothing[]"));
        chunk.eventType("a.Event", new F("startTime", JfrChunkWriter.LONG), new F("holder", "a.Holder"));
        chunk.constant("a.Holder", 1, out -> out.number(20));
        JfrTestRecordings.park(chunk, MAIN, 0, 5).checkpoint().metadata();
        assertThat(read(chunk.toByteArray()).slices().size()).isEqualTo(1);
    }

    @Test
    void fieldsOfAnUnknownTypeHideOnlyLaterFields() {
        JfrChunkWriter chunk = JfrTestRecordings.chunk();
        chunk.eventType(
                "jdk.ThreadSleep",
                new F("startTime", JfrChunkWriter.LONG),
                new F("duration", JfrChunkWriter.LONG),
                new F("eventThread", "@" + JfrChunkWriter.THREAD),
                new F("strange", "4711"));
        chunk.event(
                "jdk.ThreadSleep",
                out -> out.number(START_TICKS).number(5).number(WORKER).text("anything"));
        Trace trace = read(chunk.checkpoint().metadata().toByteArray());
        assertThat(SmallRecordings.slices(trace)).containsExactly("worker 0+5 sleeping");
    }

    @Test
    void anEventFromAnotherMillenniumIsSkipped() {
        JfrChunkWriter chunk = JfrTestRecordings.chunk();
        JfrTestRecordings.park(chunk, MAIN, Long.MAX_VALUE / 2, 5);
        JfrTestRecordings.park(chunk, MAIN, 10, Long.MAX_VALUE / 2);
        JfrTestRecordings.park(chunk, MAIN, 20, 5).checkpoint().metadata();
        Trace trace = read(chunk.toByteArray());
        assertThat(trace.endNs() - trace.startNs()).isLessThan(10_000_000_000L);
        assertThat(SmallRecordings.slices(trace)).contains("main 20+5 parking on app.Store");
    }

    @Test
    void aRecordingWithFlippedBitsIsConsistent() {
        byte[] whole = JfrTestRecordings.example();
        Random random = new Random(4);
        for (int round = 0; round < 4_000; round++) {
            byte[] damaged = whole.clone();
            for (int flips = 1 + random.nextInt(4); flips > 0; flips--) {
                damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
            }
            read(damaged);
        }
    }
}
