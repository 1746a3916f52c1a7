package dev.unjank.scene;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.read.TraceReader;
import dev.unjank.trace.write.AtraceMarks;
import dev.unjank.trace.write.FrameTimelineWriter;
import dev.unjank.trace.write.TraceClock;
import dev.unjank.trace.write.TraceWriter;
import dev.unjank.trace.write.WireFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TraceRepeaterTest {
    private static final byte[] EXAMPLE = LauncherExample.trace();
    private static final long SECOND = 1_000_000_000;

    /** The example lasts 60.1 ms, and two copies are 1 ms apart. */
    private static final long PERIOD = 61_100_000;

    @TempDir
    private Path dir;

    @Test
    void everythingHappensAgainOnePeriodLater() throws IOException {
        Trace once = read(EXAMPLE);
        Trace thrice = read(repeated(EXAMPLE, 3L * EXAMPLE.length));

        TraceInvariants.check(thrice);
        assertThat(thrice.warnings()).isEmpty();
        assertThat(thrice.startNs()).isEqualTo(once.startNs());
        assertThat(thrice.endNs()).isEqualTo(once.endNs() + 2 * PERIOD);
        assertThat(thrice.threads().size()).isEqualTo(once.threads().size());
        assertThat(thrice.slices().size()).isEqualTo(3 * once.slices().size());
        assertThat(thrice.frames().size()).isEqualTo(3 * once.frames().size());
        List<Long> contentions = contentions(once);
        assertThat(contentions).hasSize(2);
        assertThat(contentions(thrice))
                .containsExactly(
                        contentions.get(0),
                        contentions.get(1),
                        contentions.get(0) + PERIOD,
                        contentions.get(1) + PERIOD,
                        contentions.get(0) + 2 * PERIOD,
                        contentions.get(1) + 2 * PERIOD);
        for (int frame = 0; frame < once.frames().size(); frame++) {
            assertThat(thrice.frames().ts(frame + 2 * once.frames().size()))
                    .isEqualTo(once.frames().ts(frame) + 2 * PERIOD);
        }
    }

    @Test
    void clocksRunOn() throws IOException {
        ByteArrayOutputStream source = new ByteArrayOutputStream();
        try (TraceWriter writer = new TraceWriter(source, WireFormat.PLAIN)) {
            writer.clockSnapshot(100 * SECOND, 40 * SECOND, 1000 * SECOND);
            writer.globalFtraceClock(70 * SECOND, 100 * SECOND);
            writer.cpu(0).print(70 * SECOND, 5, AtraceMarks.instant(5, "first"));
            writer.cpu(0).print(71 * SECOND, 5, AtraceMarks.instant(5, "last"));
            writer.frames(TraceClock.MONOTONIC)
                    .actualDisplayFrame(1, 5, 40 * SECOND, 41 * SECOND, FrameTimelineWriter.JANK_NONE);
        }
        Trace trace = read(repeated(source.toByteArray(), 2L * source.size()));
        long period = SECOND + 1_000_000;
        assertThat(trace.endNs()).isEqualTo(101 * SECOND + period);
        assertThat(trace.frames().size()).isEqualTo(2);
        assertThat(trace.frames().ts(1)).isEqualTo(100 * SECOND + period);
        assertThat(trace.frames().dur(1)).isEqualTo(SECOND);
    }

    @Test
    void endsWithThePacketThatReachesTheSizeWanted() throws IOException {
        long wanted = 20_000;
        byte[] result = repeated(EXAMPLE, wanted);
        assertThat(result).hasSizeBetween(20_000, 20_000 + 2048);
        assertThat(result).isEqualTo(repeated(EXAMPLE, wanted));
        assertThat(repeated(EXAMPLE, 1)).isEqualTo(Arrays.copyOf(EXAMPLE, repeated(EXAMPLE, 1).length));
    }

    @Test
    void compressedPacketsComeOutPlain() throws IOException {
        byte[] compressed = LauncherExample.scene().toBytes(WireFormat.COMPRESSED);
        assertThat(repeated(compressed, 10_000)).isEqualTo(repeated(EXAMPLE, 10_000));
    }

    @Test
    void rejectsDamagedTraces() {
        assertThatThrownBy(() -> repeated("<html>".getBytes(StandardCharsets.UTF_8), 100))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("not a Perfetto trace");
        assertThatThrownBy(() -> repeated(Arrays.copyOf(EXAMPLE, EXAMPLE.length - 1), 100))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("damaged");
        assertThatThrownBy(() -> repeated(new byte[0], 100))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("without times");
    }

    private static List<Long> contentions(Trace trace) {
        Slices slices = trace.slices();
        List<Long> starts = new ArrayList<>();
        for (int row = 0; row < slices.size(); row++) {
            if (slices.name(row).startsWith("monitor contention")) {
                starts.add(slices.ts(row));
            }
        }
        return starts;
    }

    private static byte[] repeated(byte[] source, long size) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        assertThat(TraceRepeater.repeat(source, size, out)).isEqualTo(out.size());
        return out.toByteArray();
    }

    private Trace read(byte[] bytes) throws IOException {
        return TraceReader.read(Files.write(dir.resolve("trace.pftrace"), bytes));
    }
}
