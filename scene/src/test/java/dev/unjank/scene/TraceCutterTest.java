package dev.unjank.scene;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.trace.model.Trace;
import dev.unjank.trace.read.TraceReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TraceCutterTest {
    private static final long HOUR = 3_600_000_000_000L;

    @TempDir
    private Path dir;

    private Trace cut(long shift, double from, double to) throws IOException {
        Path file = dir.resolve("cut.pftrace");
        Files.write(file, bytes(shift, from, to));
        return TraceReader.read(file);
    }

    private static byte[] bytes(long shift, double from, double to) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new TraceCutter(LauncherExample.trace()).write(shift, from, to, out);
        return out.toByteArray();
    }

    @Test
    void aWholeTraceIsOnlyShifted() throws IOException {
        Path source = Files.write(dir.resolve("source.pftrace"), LauncherExample.trace());
        Trace trace = TraceReader.read(source);
        Trace moved = cut(HOUR, 0, 1);

        assertThat(moved.startNs()).isEqualTo(trace.startNs() + HOUR);
        assertThat(moved.endNs()).isEqualTo(trace.endNs() + HOUR);
        assertThat(moved.slices().size()).isEqualTo(trace.slices().size());
        assertThat(moved.threadStates().size()).isEqualTo(trace.threadStates().size());
    }

    @Test
    void aPeriodIsATraceOfItsOwn() throws IOException {
        Trace half = cut(0, 0.5, 1);

        TraceInvariants.check(half);
        assertThat(half.threads().size()).isPositive();
        assertThat(bytes(0, 0.5, 1).length).isLessThan(bytes(0, 0, 1).length);
        assertThat(bytes(7, 0.2, 0.4)).isEqualTo(bytes(7, 0.2, 0.4));
    }
}
