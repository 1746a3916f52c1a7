package dev.unjank.cli.shell;

import dev.unjank.query.QuerySession;
import dev.unjank.query.StatementText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jline.keymap.KeyMap;
import org.jline.reader.Binding;
import org.jline.reader.Candidate;
import org.jline.reader.EOFError;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.ParsedLine;
import org.jline.reader.Reference;
import org.jline.reader.UserInterruptException;
import org.jline.reader.Widget;
import org.jline.reader.impl.DefaultParser;
import org.jline.terminal.Size;
import org.jline.terminal.Terminal.Signal;
import org.jline.terminal.Terminal.SignalHandler;
import org.jline.terminal.TerminalBuilder;
import org.jspecify.annotations.Nullable;

/** Reads statements from a terminal, with editing, history and completion. */
final class LineEditor implements StatementSource {
    private static final Size DEFAULT_SIZE = Size.of(100, 40);

    private final org.jline.terminal.Terminal terminal;
    private final LineReader reader;

    LineEditor(QuerySession session) throws IOException {
        this.terminal = TerminalBuilder.builder().name("unjank").build();
        if (terminal.getSize().getColumns() <= 0 || terminal.getSize().getRows() <= 0) {
            // some pseudo-terminals have no size
            terminal.setSize(DEFAULT_SIZE);
        }
        DefaultParser parser = new Statements();
        parser.setEscapeChars(null); // a backslash is not an escape character in SQL
        parser.setQuoteChars(new char[0]); // an open quote does not continue a line; the missing semicolon does
        this.reader = LineReaderBuilder.builder()
                .terminal(terminal)
                .parser(parser)
                .completer((_, line, candidates) -> complete(session, line, candidates))
                .variable(LineReader.HISTORY_FILE, history())
                .variable(LineReader.SECONDARY_PROMPT_PATTERN, "   ...> ")
                .option(LineReader.Option.CASE_INSENSITIVE, true)
                .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true)
                .build();
        KeyMap<Binding> keys = reader.getKeyMaps().get(LineReader.MAIN);
        if (keys != null) {
            bindArrows(keys);
            ignoreControlC(keys);
        }
    }

    /**
     * Also binds the arrow key codes of normal mode, for terminals that ignore the switch to application mode; JLine
     * binds only those of application mode.
     */
    private static void bindArrows(KeyMap<Binding> keys) {
        keys.bind(new Reference(LineReader.UP_LINE_OR_HISTORY), "\033[A");
        keys.bind(new Reference(LineReader.DOWN_LINE_OR_HISTORY), "\033[B");
        keys.bind(new Reference(LineReader.FORWARD_CHAR), "\033[C");
        keys.bind(new Reference(LineReader.BACKWARD_CHAR), "\033[D");
    }

    /**
     * Makes one Ctrl-C abandon one line only. JLine 4.6 raises a signal for it, which abandons the line, and then also
     * returns it as a key, which may reach the next line and abandon that one.
     */
    private static void ignoreControlC(KeyMap<Binding> keys) {
        Widget nothing = () -> true;
        keys.bind(nothing, KeyMap.ctrl('C'));
    }

    /** Continues a line until the statement is complete, so that it is edited and kept in the history as a whole. */
    private static final class Statements extends DefaultParser {
        @Override
        public ParsedLine parse(String line, int cursor, ParseContext context) {
            boolean command = line.strip().startsWith(".");
            if (context == ParseContext.ACCEPT_LINE && !line.isBlank() && !command && !StatementText.isComplete(line)) {
                throw new EOFError(-1, cursor, "a statement ends with a semicolon");
            }
            return super.parse(line, cursor, context);
        }
    }

    /** The history file in the XDG state folder; null if the folder cannot be created. */
    private static @Nullable Path history() {
        String state = System.getenv("XDG_STATE_HOME");
        Path folder = state == null || state.isEmpty()
                ? Path.of(System.getProperty("user.home"), ".local", "state")
                : Path.of(state);
        try {
            return Files.createDirectories(folder.resolve("unjank")).resolve("query_history");
        } catch (IOException _) {
            return null;
        }
    }

    private static void complete(QuerySession session, ParsedLine line, List<Candidate> candidates) {
        String word = line.word().substring(0, line.wordCursor());
        int start = Math.max(word.lastIndexOf('('), Math.max(word.lastIndexOf(','), word.lastIndexOf('='))) + 1;
        String before = word.substring(0, start);
        for (String name : QueryShell.completions(session, line.line(), word.substring(start))) {
            candidates.add(new Candidate(before + name, name, null, null, null, null, !name.endsWith("(")));
        }
    }

    @Override
    public @Nullable String line(boolean continued) throws Abandoned {
        try {
            return reader.readLine(continued ? "   ...> " : "unjank> ");
        } catch (UserInterruptException _) {
            throw new Abandoned();
        } catch (EndOfFileException _) {
            return null;
        }
    }

    @Override
    public boolean isInteractive() {
        return true;
    }

    @Override
    public void whileInterruptible(Runnable work, Runnable stop) {
        SignalHandler before = terminal.handle(Signal.INT, _ -> stop.run());
        try {
            work.run();
        } finally {
            terminal.handle(Signal.INT, before);
        }
    }

    @Override
    public void close() throws IOException {
        terminal.close();
    }
}
