package dev.unjank.cli.shell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.cli.CommandRun;
import dev.unjank.cli.terminal.Terminal;
import dev.unjank.query.EngineOptions;
import dev.unjank.query.QuerySession;
import dev.unjank.query.result.ResultWriter;
import dev.unjank.scene.LauncherExample;
import dev.unjank.trace.read.TraceReader;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The shell with a user. */
class QueryShellTest {
    private static final String GIVES_UP = "^C";

    @TempDir
    Path folder;

    private QuerySession session;

    @BeforeEach
    void open() throws Exception {
        Path example = Files.write(folder.resolve("launcher.pftrace"), LauncherExample.trace());
        session = QuerySession.open(QuerySession.engine(EngineOptions.DEFAULT), TraceReader.read(example));
    }

    @AfterEach
    void close() {
        session.close();
    }

    /** A user who types these lines, and presses Ctrl-C when a statement with the word ENDLESS runs. */
    private static final class Person implements StatementSource {
        private final Deque<String> lines;
        private boolean impatient;

        Person(String... lines) {
            this.lines = new ArrayDeque<>(Arrays.asList(lines));
        }

        @Override
        public @Nullable String line(boolean continued) throws Abandoned {
            String line = lines.poll();
            if (GIVES_UP.equals(line)) {
                throw new Abandoned();
            }
            impatient = line != null && line.contains("ENDLESS");
            return line;
        }

        @Override
        public boolean isInteractive() {
            return true;
        }

        @Override
        public void whileInterruptible(Runnable work, Runnable stop) {
            Thread worker = new Thread(work);
            worker.start();
            while (impatient && worker.isAlive()) {
                stop.run();
                Thread.onSpinWait();
            }
            try {
                worker.join();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public void close() {}
    }

    private CommandRun talk(String... lines) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Terminal terminal = Terminal.of(out, err, false, Map.of());
        int code = new QueryShell(session, new Person(lines), ResultWriter.csv(terminal.out), terminal).run();
        terminal.finish();
        return new CommandRun(code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    @Test
    void anErrorIsReportedAndTheShellContinues() throws Exception {
        CommandRun run = talk("SELECT nonsense;", "SELECT 1 AS a;");

        assertThat(run.code()).isZero();
        assertThat(run.err()).contains("nonsense");
        assertThat(run.out()).isEqualTo("\"a\"\n1\n");
    }

    @Test
    void whatWasBegunCanBeGivenUp() throws Exception {
        assertThat(talk("SELECT nonsense", GIVES_UP, "SELECT 1 AS a;").out()).isEqualTo("\"a\"\n1\n");
    }

    @Test
    void aStatementIsInterruptedAndNotTheShell() throws Exception {
        CommandRun run = talk("""
                SELECT count(*) FROM slice a, slice b, slice c, slice d, slice e, slice f, slice g, slice h, slice i, slice j,
                    slice k, slice l, slice m WHERE (a.dur + b.dur + c.dur + d.dur + e.dur + f.dur + g.dur + h.dur + i.dur
                    + j.dur + k.dur + l.dur + m.dur) % 7 = 8; -- ENDLESS""", "SELECT 1 AS a;");

        assertThat(run.err()).contains("interrupted");
        assertThat(run.out()).isEqualTo("\"a\"\n1\n");
    }

    @Test
    void theTimeLimitIsForEachStatement() throws Exception {
        assertThat(talk(".timeout 500", "SELECT 1 AS a;", ".timeout x", ".timeout", "SELECT 2 AS b;"))
                .satisfies(run -> {
                    assertThat(run.out()).isEqualTo("\"a\"\n1\n\n\"b\"\n2\n");
                    assertThat(run.err()).contains(".timeout must be a number of seconds");
                });
    }

    @Test
    void namesAreCompleted() {
        assertThat(completions("SELECT * FROM thread_st", "thread_st")).containsExactly("thread_state");
        assertThat(completions("sel", "sel")).containsExactly("SELECT");
        assertThat(completions(".sch", ".sch")).containsExactly(".schema");
        assertThat(completions("SELECT slice.pa", "slice.pa")).containsExactly("slice.parent_id");
        assertThat(completions("SELECT * FROM flow WHERE slice_", "slice_")).contains("slice_in", "slice_out");
        assertThat(completions("SELECT nowhere.x", "nowhere.x")).isEmpty();
    }

    private List<String> completions(String line, String begun) {
        return QueryShell.completions(session, line, begun);
    }
}
