package dev.unjank.trace.read;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.unjank.scene.LauncherExample;
import dev.unjank.scene.TraceInvariants;
import dev.unjank.trace.model.UnusableTraceException;
import dev.unjank.trace.read.systrace.SystraceFromPerfetto;
import dev.unjank.trace.read.systrace.SystraceReaderTest;
import dev.unjank.trace.write.WireFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * As {@link TraceReaderFuzzTest}, for text, pages, what atrace writes, archives, and files that are merged. Without the
 * long profile only the seeds are tried.
 */
@Tag("long")
class TextFuzzTest {
    @TempDir
    private static Path dir;

    private static Path file;
    private static Path partner;

    @BeforeAll
    static void nameFiles() throws IOException {
        file = dir.resolve("fuzzed");
        partner = Files.write(dir.resolve("partner"), LauncherExample.trace());
    }

    static Stream<Arguments> seeds() throws IOException {
        byte[] text = SystraceFromPerfetto.of(LauncherExample.scene().toBytes(WireFormat.PLAIN));
        byte[] line = " a-1 (    1) [000] d.h3 1.000001: sched_waking: comm=a b pid=2 prio=120 target_cpu=001\n"
                .getBytes(UTF_8);
        return Stream.of(
                        text,
                        line,
                        SystraceReaderTest.gzip(text),
                        SystraceReaderTest.page("<script class='trace-data'>\n", text),
                        SystraceReaderTest.page("<script>var linuxPerfData = \"\\n", line),
                        TraceArchiveTest.zip(Map.of("a", text, "b", LauncherExample.trace())),
                        "TRACE:\n# tracer: nop\n".getBytes(UTF_8),
                        SystraceReaderTest.ctrace(text),
                        SystraceReaderTest.ctrace(line),
                        "USER PID PPID NAME\nroot 1 0 init\n".getBytes(UTF_8))
                .map(bytes -> Arguments.of((Object) bytes));
    }

    @MethodSource("seeds")
    @FuzzTest(maxDuration = "60s")
    void anyBytesAreReadOrRefused(byte[] bytes) throws IOException {
        if (bytes == null) {
            return;
        }
        Files.write(file, bytes);
        for (List<Path> files : List.of(List.of(file), List.of(file, partner))) {
            try {
                TraceInvariants.check(TraceReader.read(files));
            } catch (UnusableTraceException e) {
                assertThat(e.getMessage()).isNotBlank().doesNotContain("\n");
            }
        }
    }
}
