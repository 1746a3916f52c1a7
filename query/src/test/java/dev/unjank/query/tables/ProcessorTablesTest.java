package dev.unjank.query.tables;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.query.QueryTestSession;
import dev.unjank.query.result.QueryException;
import dev.unjank.trace.read.ProcessorTablesReader;
import dev.unjank.trace.read.TraceReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Trace processor's tables as an option: two threads switch on a CPU, and the one that runs first has the larger tid. */
class ProcessorTablesTest {
    private static final String LINES = """
            # tracer: nop
            #
               worker-11    (   10) [000] d..3   100.000001: sched_switch: prev_comm=worker prev_pid=11 prev_prio=120 prev_state=S ==> next_comm=main next_pid=10 next_prio=110
                 main-10    (   10) [000] ...1   100.000002: tracing_mark_write: B|10|draw
                 main-10    (   10) [000] ...1   100.000003: tracing_mark_write: E|10
                 main-10    (   10) [000] d..3   100.000004: sched_switch: prev_comm=main prev_pid=10 prev_prio=110 prev_state=S ==> next_comm=worker next_pid=11 next_prio=120
            """;
    private static final String THREADS = "SELECT utid, tid, name FROM thread ORDER BY utid";

    @TempDir
    Path folder;

    private Path file;

    @BeforeEach
    void writeTrace() throws IOException {
        file = Files.writeString(folder.resolve("two.systrace"), LINES);
    }

    @Test
    void threadsAreNumberedAsTheyAppear() throws IOException, QueryException {
        try (QueryTestSession session = QueryTestSession.withProcessorTables(file)) {
            assertThat(session.result(THREADS))
                    .containsExactly(
                            "\"utid\",\"tid\",\"name\"", "0,0,\"swapper\"", "1,11,\"worker\"", "2,10,\"main\"");
            assertThat(session.result("SELECT name, utid FROM thread_slice"))
                    .containsExactly("\"name\",\"utid\"", "\"draw\",2");
            assertThat(session.result("SELECT utid, dur FROM sched ORDER BY ts"))
                    .containsExactly("\"utid\",\"dur\"", "2,3000", "1,-1");
            assertThat(session.result("SELECT utid FROM unjank_thread_state WHERE state = 'Running' ORDER BY ts"))
                    .containsExactly("\"utid\"", "2", "1");
        }
    }

    @Test
    void otherTablesAreThereOnlyWithTheOption() throws IOException, QueryException {
        try (QueryTestSession session = QueryTestSession.withProcessorTables(file);
                QueryTestSession model = QueryTestSession.of(TraceReader.read(file))) {
            assertThat(session.columns("ftrace_event")).contains("name", "cpu", "utid");
            assertThat(model.columns("ftrace_event")).isEmpty();
        }
    }

    @Test
    void flightRecordingsHaveNoSuchTables() throws IOException {
        Path recording = Files.write(folder.resolve("app.jfr"), "FLR\0recording".getBytes(StandardCharsets.UTF_8));

        assertThat(ProcessorTablesReader.isSupported(file)).isTrue();
        assertThat(ProcessorTablesReader.isSupported(recording)).isFalse();
    }
}
