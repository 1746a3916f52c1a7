package dev.unjank.record.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.read.jfr.JfrChunks;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/** Flight Recorder's clock against that of {@link System#nanoTime}, by ties with known values. */
class JfrClockConverterTest {
    private static final long SECOND = 1_000_000_000;
    private static final JfrClockConverter OTHERWISE = JfrClockConverter.at(1_000, 77);

    /** A chunk with ties: a time, what the other clock shows, and by how much that may be wrong, again and again. */
    private static Trace chunk(long... ties) {
        TraceBuilder builder = new TraceBuilder("chunk");
        builder.kernel().process(1, 100, 0, builder.intern("app"));
        if (ties.length > 0) {
            int times = builder.tracks()
                    .newCounterTrack(-1, 100, builder.intern(JfrChunks.NANO_TIME), builder.intern("ns"));
            int errors = builder.tracks()
                    .newCounterTrack(-1, 100, builder.intern(JfrChunks.NANO_TIME_ERROR), builder.intern("ns"));
            for (int i = 0; i < ties.length; i += 3) {
                builder.tracks().trackCounter(ties[i], times, ties[i + 1]);
                builder.tracks().trackCounter(ties[i], errors, ties[i + 2]);
            }
        }
        return builder.build();
    }

    @Test
    void withoutTiesAnotherLineMustDo() {
        assertThat(JfrClockConverter.of(chunk(), OTHERWISE)).isSameAs(OTHERWISE);
        assertThat(OTHERWISE.nanos(5)).isEqualTo(1_005);
        assertThat(OTHERWISE.error()).isEqualTo(77);
    }

    @Test
    void oneTieGivesTheDistance() {
        JfrClockConverter line = JfrClockConverter.of(chunk(SECOND, 5 * SECOND, 300), OTHERWISE);

        assertThat(line.nanos(SECOND)).isEqualTo(5 * SECOND);
        assertThat(line.nanos(SECOND - 10)).isEqualTo(5 * SECOND - 10);
        assertThat(line.nanos(SECOND + 10)).isEqualTo(5 * SECOND + 10);
        assertThat(line.error()).isEqualTo(300);
    }

    @Test
    void betweenTwoTiesTimeGoesEvenlyAndOutsideAsFast() {
        // The other clock is faster by a ten thousandth.
        JfrClockConverter line =
                JfrClockConverter.of(chunk(SECOND, 0, 0, 3 * SECOND, 2 * SECOND + 200_000, 0), OTHERWISE);

        assertThat(line.nanos(SECOND)).isZero();
        assertThat(line.nanos(2 * SECOND)).isEqualTo(SECOND + 100_000);
        assertThat(line.nanos(3 * SECOND)).isEqualTo(2 * SECOND + 200_000);
        assertThat(line.nanos(4 * SECOND)).isEqualTo(3 * SECOND + 300_000);
        assertThat(line.nanos(0)).isEqualTo(-SECOND - 100_000);
        assertThat(line.error()).isZero();
    }

    @Test
    void aRateOfTiesThatAreCloseTogetherWouldBeTheirErrorAlone() {
        long close = SECOND / 20;
        JfrClockConverter line = JfrClockConverter.of(chunk(0, 0, 50, close, close + 5_000, 50), OTHERWISE);

        assertThat(line.nanos(100 * SECOND)).isEqualTo(100 * SECOND);
        assertThat(line.error()).as("the second tie lies beside the line").isEqualTo(5_000);
    }

    @Test
    void theErrorIsTheWorstTieOrTheWorstReading() {
        long[] straight = {0, 0, 10, SECOND, SECOND, 900, 2 * SECOND, 2 * SECOND, 20};
        long[] bent = {0, 0, 10, SECOND, SECOND + 4_000, 900, 2 * SECOND, 2 * SECOND, 20};

        assertThat(JfrClockConverter.of(chunk(straight), OTHERWISE).error()).isEqualTo(900);
        assertThat(JfrClockConverter.of(chunk(bent), OTHERWISE).error()).isEqualTo(4_000);
    }

    /**
     * The wall clock, from which the times of each chunk are counted, is corrected; the machine's own clock goes on.
     */
    @Test
    void aLaterChunkWithoutTiesCarriesOn() {
        JfrClockConverter line = JfrClockConverter.of(chunk(0, SECOND, 10, SECOND, 2 * SECOND, 10), OTHERWISE);
        JfrChunks.Chunk first = new JfrChunks.Chunk(MemorySegment.NULL, 1_000, 0, 1_000_000);
        JfrChunks.Chunk second = new JfrChunks.Chunk(MemorySegment.NULL, 5_001_000, 5 * SECOND + 250_000, 1_000_000);

        JfrClockConverter later = JfrClockConverter.of(chunk(), line.continuedFor(first, second));

        assertThat(second.nanosSince(first)).isEqualTo(5 * SECOND);
        assertThat(later.nanos(7 * SECOND + 250_000)).isEqualTo(8 * SECOND);
        assertThat(later.error()).isEqualTo(10 + 500_000);
    }
}
