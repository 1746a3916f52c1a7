package dev.unjank.trace.read;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.unjank.trace.Trace;
import dev.unjank.trace.UnusableTraceException;
import dev.unjank.trace.example.LauncherExample;
import dev.unjank.trace.write.WireFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever bytes a file holds, the reader gives a trace whose tables hang together, or says in one line why not. Without the
 * long profile only the seeds are tried.
 */
@Tag("long")
class TraceReaderFuzzTest {
    @TempDir
    private static Path dir;

    private static Path file;

    @BeforeAll
    static void nameFile() {
        file = dir.resolve("fuzzed.pftrace");
    }

    static Stream<Arguments> seeds() {
        return Stream.of(WireFormat.PLAIN, WireFormat.COMPACT, WireFormat.COMPRESSED)
                .map(format -> Arguments.of((Object) LauncherExample.scene().toBytes(format)));
    }

    @MethodSource("seeds")
    @FuzzTest(maxDuration = "60s")
    void anyBytesAreReadOrRefused(byte[] bytes) throws IOException {
        if (bytes == null) {
            return;
        }
        Files.write(file, bytes);
        try {
            Trace trace = TraceReader.read(file);
            assertThat(trace.sizeBytes()).isEqualTo(bytes.length);
        } catch (UnusableTraceException e) {
            assertThat(e.getMessage()).isNotBlank().doesNotContain("\n");
        }
    }
}
