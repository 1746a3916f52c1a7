package dev.unjank.trace.read.jfr;

import static dev.unjank.fixture.jfr.JfrTestRecordings.MAIN;
import static dev.unjank.fixture.jfr.JfrTestRecordings.START_NS;
import static dev.unjank.fixture.jfr.JfrTestRecordings.START_TICKS;
import static dev.unjank.fixture.jfr.JfrTestRecordings.WORKER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.fixture.jfr.JfrChunkWriter;
import dev.unjank.fixture.jfr.JfrChunkWriter.F;
import dev.unjank.fixture.jfr.JfrTestRecordings;
import dev.unjank.trace.model.Frames;
import dev.unjank.trace.model.JankType;
import dev.unjank.trace.model.PresentType;
import dev.unjank.trace.model.Trace;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The import of frames; times in microseconds, frames of 10 ms. */
class FrameEventsTest {
    private static final String FRAME = "dev.unjank.Frame";
    private static final int PERIOD_US = 10_000;

    private final JfrChunkWriter chunk = JfrTestRecordings.information(chunk(START_NS, START_TICKS));

    private static JfrChunkWriter chunk(long startNs, long startTicks) {
        JfrChunkWriter chunk = JfrTestRecordings.chunk(startNs, startTicks);
        JfrTestRecordings.kindOfThread(
                chunk,
                FRAME,
                new F("number", JfrChunkWriter.LONG),
                new F("wait", JfrChunkWriter.LONG),
                new F("period", JfrChunkWriter.LONG),
                new F("missed", JfrChunkWriter.BOOLEAN),
                new F("skipped", JfrChunkWriter.LONG));
        return chunk;
    }

    private static void frame(
            JfrChunkWriter chunk, long thread, long fromUs, long lengthUs, long lateUs, long skipped) {
        chunk.event(
                FRAME,
                out -> out.number(START_TICKS + fromUs)
                        .number(lengthUs)
                        .number(thread)
                        .number(7)
                        .number(lateUs * 1_000)
                        .number(PERIOD_US * 1_000)
                        .one(lateUs + lengthUs > PERIOD_US ? 1 : 0)
                        .number(skipped));
    }

    private static Frames read(JfrChunkWriter chunk) {
        return SmallRecordings.read(chunk.checkpoint().metadata()).frames();
    }

    private static long us(long ns) {
        return (ns - START_NS) / 1_000;
    }

    @Test
    void aFrameInTimeHasWhenItWasExpectedAndWhenItCame() {
        frame(chunk, MAIN, 20_100, 3_000, 100, 0);
        Trace trace = SmallRecordings.read(chunk.checkpoint().metadata());
        Frames frames = trace.frames();

        assertThat(frames.size()).isEqualTo(1);
        assertThat(us(frames.expectedStartNs(0))).isEqualTo(20_000);
        assertThat(us(frames.deadlineNs(0))).isEqualTo(30_000);
        assertThat(us(frames.ts(0))).isEqualTo(20_100);
        assertThat(us(frames.endNs(0))).isEqualTo(23_100);
        assertThat(frames.layer(0)).isEqualTo("main (101)");
        assertThat(trace.processes().pid(frames.upid(0))).isEqualTo(JfrTestRecordings.PID);
        assertThat(frames.jankMask(0)).isEqualTo(JankType.NONE.bit());
        assertThat(frames.presentType(0)).isEqualTo(PresentType.ON_TIME);
        assertThat(frames.onTimeFinish(0)).isTrue();
        assertThat(frames.missed()).isEmpty();
    }

    @Test
    void aFrameThatMissedItsDeadlineWasTheProgramsFault() {
        frame(chunk, MAIN, 20_000, 15_000, 0, 0);
        Frames frames = read(chunk);

        assertThat(JankType.in(frames.jankMask(0))).containsExactly(JankType.APP_DEADLINE_MISSED);
        assertThat(frames.presentType(0)).isEqualTo(PresentType.LATE);
        assertThat(frames.onTimeFinish(0)).isFalse();
    }

    @Test
    void skippedFramesAreExpectedOnly() {
        frame(chunk, MAIN, 45_000, 1_000, 25_000, 2);
        Frames frames = read(chunk);

        assertThat(frames.size()).isEqualTo(1);
        assertThat(us(frames.expectedStartNs(0))).isEqualTo(20_000);
        assertThat(frames.missed())
                .extracting(missed -> us(missed.expectedStartNs()))
                .containsExactly(30_000L, 40_000L);
        assertThat(frames.missed())
                .extracting(missed -> us(missed.deadlineNs()))
                .containsExactly(40_000L, 50_000L);
        assertThat(frames.missed())
                .allSatisfy(missed -> assertThat(frames.layer(missed)).isEqualTo("main (101)"));
    }

    @Test
    void theNumberOfSkippedFramesIsBounded() {
        frame(chunk, MAIN, 20_000, 20_000, 0, Long.MAX_VALUE);

        assertThat(read(chunk).missed()).hasSize(FrameEvents.MAX_SKIPPED);
    }

    @Test
    void frameTokensAreUnique() {
        frame(chunk, MAIN, 20_000, 20_000, 0, 1);
        frame(chunk, WORKER, 20_000, 1_000, 0, 0);
        chunk.checkpoint().metadata();
        JfrChunkWriter otherRun = chunk(START_NS + 3_600_000_000_000L, START_TICKS);
        frame(otherRun, MAIN, 20_000, 1_000, 0, 0);
        otherRun.checkpoint().metadata();
        Frames frames = SmallRecordings.read(JfrTestRecordings.joined(chunk.toByteArray(), otherRun.toByteArray()))
                .frames();

        assertThat(frames.size()).isEqualTo(3);
        long[] numbers = LongStream.concat(
                        LongStream.range(0, 3).map(row -> frames.surfaceToken((int) row)),
                        frames.missed().stream().mapToLong(Frames.Missed::surfaceToken))
                .toArray();
        assertThat(numbers).doesNotHaveDuplicates().hasSize(4);
        assertThat(List.of(frames.layer(0), frames.layer(1))).containsExactlyInAnyOrder("main (101)", "worker (102)");
    }

    @Test
    void nonsenseIsNoFrame() {
        frame(chunk, MAIN, 20_000, 1_000, Long.MAX_VALUE / 1_000, 0);
        frame(chunk, 0, 20_000, 1_000, 0, 0);

        assertThat(read(chunk).size()).isZero();
    }
}
