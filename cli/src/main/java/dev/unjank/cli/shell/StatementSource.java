package dev.unjank.cli.shell;

import dev.unjank.cli.terminal.Terminal;
import dev.unjank.query.QuerySession;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The source of a shell's lines: a terminal or standard input. */
public interface StatementSource extends AutoCloseable {

    /** The next line without its end; null at the end of the input. */
    @Nullable
    String line(boolean continued) throws IOException, Abandoned;

    /** Whether it is a terminal. */
    boolean isInteractive();

    /** Runs {@code work}; if the user presses Ctrl-C meanwhile, runs {@code stop}. */
    void whileInterruptible(Runnable work, Runnable stop);

    @Override
    void close() throws IOException;

    /** Thrown if the user cancelled the statement with Ctrl-C. */
    final class Abandoned extends Exception {
        private static final long serialVersionUID = 1;

        Abandoned() {
            super(null, null, false, false);
        }
    }

    /** The terminal, with history and completion; without one, standard input. */
    static StatementSource of(Terminal terminal, QuerySession session) throws IOException {
        return terminal.isInteractive() ? new LineEditor(session) : new StandardInput();
    }

    /** Lines of standard input. */
    final class StandardInput implements StatementSource {
        private final BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));

        @Override
        public @Nullable String line(boolean continued) throws IOException {
            return in.readLine();
        }

        @Override
        public boolean isInteractive() {
            return false;
        }

        @Override
        public void whileInterruptible(Runnable work, Runnable stop) {
            work.run();
        }

        @Override
        public void close() {}
    }
}
