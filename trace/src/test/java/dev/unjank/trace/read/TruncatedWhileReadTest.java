package dev.unjank.trace.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unjank.fixture.RealTraces;
import dev.unjank.trace.model.UnusableTraceException;
import dev.unjank.trace.read.common.Parallelism;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Another process truncates a file of any format after it was mapped: one line instead of the JVM's error. */
class TruncatedWhileReadTest {
    /** The largest page of common processors: a truncation has no effect within a page. */
    private static final int PAGE = 1 << 16;

    @TempDir
    private Path dir;

    /** Where there is none, the test is asked for one and is reported as skipped. */
    static List<String> largeTraces() {
        List<String> large = RealTraces.names().stream()
                .filter(name -> size(name) > 2 * PAGE)
                .toList();
        return large.isEmpty() ? List.of("any") : large;
    }

    private static long size(String name) {
        return RealTraces.file(name).toFile().length();
    }

    @ParameterizedTest
    @MethodSource("largeTraces")
    void truncatedToNothing(String name) throws IOException {
        failsIfTruncated(name, 0, Parallelism.of(Runnable::run));
    }

    @ParameterizedTest
    @MethodSource("largeTraces")
    void truncatedToOnePage(String name) throws IOException {
        failsIfTruncated(name, PAGE, Parallelism.of(Runnable::run));
    }

    @ParameterizedTest
    @MethodSource("largeTraces")
    void truncatedToHalfWhileSeveralThreadsRead(String name) throws IOException {
        failsIfTruncated(name, size(name) / 2 / PAGE * PAGE, new Parallelism(ForkJoinPool.commonPool(), 3, 1 << 10));
    }

    private void failsIfTruncated(String name, long size, Parallelism parallelism) throws IOException {
        Path file = Files.write(dir.resolve(name), Files.readAllBytes(RealTraces.file(name)));
        TraceReader.FileMapping mapping = (channel, mapped, arena) -> {
            MemorySegment bytes = TraceReader.map(channel, mapped, arena);
            try (FileChannel other = FileChannel.open(file, StandardOpenOption.WRITE)) {
                other.truncate(size);
            }
            return bytes;
        };
        assertThatThrownBy(() -> TraceReader.read(List.of(file), parallelism, mapping))
                .isInstanceOf(UnusableTraceException.class)
                .hasMessage(file + ": truncated or unreadable while it was being read");
        assertThat(file).hasSize(size);
    }
}
