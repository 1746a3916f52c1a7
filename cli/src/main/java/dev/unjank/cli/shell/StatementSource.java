package dev.unjank.cli.shell;

import dev.unjank.cli.terminal.Terminal;
import dev.unjank.query.QuerySession;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Where the lines of a shell come from. */
public interface StatementSource extends AutoCloseable {

    /**
     * The next line.
     *
     * @param continued whether it goes on with a statement that the lines before began
     * @return the line without its end; null at the end of the input
     * @throws Abandoned if the user gave up what was begun
     */
    @Nullable
    String line(boolean continued) throws IOException, Abandoned;

    /** Whether a person sits there. */
    boolean isInteractive();

    /** Does something that takes its time, stopping it if the user asks for that meanwhile. */
    void whileInterruptible(Runnable work, Runnable stop);

    @Override
    void close() throws IOException;

    /** The user gave up what was begun. */
    final class Abandoned extends Exception {
        private static final long serialVersionUID = 1;

        Abandoned() {
            super(null, null, false, false);
        }
    }

    /** A person at a terminal, with history and completion; where there is none, standard input as it comes. */
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
