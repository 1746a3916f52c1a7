package dev.unjank.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.trace.Trace;
import dev.unjank.trace.read.TraceReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConvertCommandTest {
    private static final String SYSTRACE = """
            # tracer: nop
                     app-100   (  100) [000] ...1   100.000000: tracing_mark_write: B|100|work
                     app-100   (  100) [000] ...1   100.005000: tracing_mark_write: E|100
            """;

    @TempDir
    private Path folder;

    @Test
    void aSystraceBecomesAPerfettoTrace() throws IOException {
        Path in = Files.writeString(folder.resolve("in.txt"), SYSTRACE);
        Path out = folder.resolve("out.pftrace");

        CommandRun run = CommandRun.of("convert", in.toString(), "-o", out.toString());

        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isZero();
        assertThat(run.out()).contains("Wrote " + out).contains("1 slices");
        Trace trace = TraceReader.read(out);
        assertThat(trace.slices().size()).isEqualTo(1);
        assertThat(trace.slices().name(0)).isEqualTo("work");
        assertThat(trace.slices().dur(0)).isEqualTo(5_000_000);
    }

    @Test
    void anInputIsNotOverwritten() throws IOException {
        Path in = Files.writeString(folder.resolve("in.txt"), SYSTRACE);

        CommandRun run = CommandRun.of("convert", in.toString(), "-o", in.toString());

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains("is an input");
        assertThat(Files.readString(in)).isEqualTo(SYSTRACE);
    }

    @Test
    void whatIsNoTraceIsToldAndNothingWritten() throws IOException {
        Path in = Files.writeString(folder.resolve("in.txt"), "nothing of the kind");
        Path out = folder.resolve("out.pftrace");

        CommandRun run = CommandRun.of("convert", in.toString(), "-o", out.toString());

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains(in.toString()).hasLineCount(1);
        assertThat(out).doesNotExist();
    }
}
