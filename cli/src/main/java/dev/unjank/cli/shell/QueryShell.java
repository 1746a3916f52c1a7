package dev.unjank.cli.shell;

import dev.unjank.cli.terminal.ExitCode;
import dev.unjank.cli.terminal.ProgressLine;
import dev.unjank.cli.terminal.Terminal;
import dev.unjank.query.QuerySession;
import dev.unjank.query.StatementText;
import dev.unjank.query.result.QueryException;
import dev.unjank.query.result.ResultWriter;
import dev.unjank.query.result.Rows;
import dev.unjank.trace.text.TerminalText;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.TypeConversionException;

/**
 * The interactive shell of {@code unjank query}: reads statements, each ended by a semicolon, and dot commands. On a
 * terminal it continues after an error; otherwise it exits at the first one.
 */
public final class QueryShell {
    private static final List<String> COMMANDS =
            List.of(".functions", ".help", ".modules", ".quit", ".schema", ".tables", ".timeout");
    private static final List<String> KEYWORDS = List.of(
            "SELECT",
            "FROM",
            "WHERE",
            "GROUP BY",
            "ORDER BY",
            "LIMIT",
            "JOIN",
            "LEFT JOIN",
            "USING",
            "INCLUDE PERFETTO MODULE",
            "CREATE PERFETTO TABLE",
            "CREATE PERFETTO VIEW",
            "CREATE PERFETTO FUNCTION",
            "DISTINCT",
            "HAVING",
            "UNION ALL");
    private static final Pattern WORD = Pattern.compile("[A-Za-z_][A-Za-z_0-9]*");
    private static final String HELP = """
            Statements end with a semicolon. Ctrl-C cancels a statement, Ctrl-D quits.
              .tables [PREFIX]     list tables and views
              .schema [TABLE]      show the columns of a table, or of all tables
              .functions [PREFIX]  list functions
              .modules [PREFIX]    list modules for INCLUDE PERFETTO MODULE
              .timeout [SECONDS]   set a time limit per statement; 0 for none
              .quit                quit
            """;

    private final QuerySession session;
    private final StatementSource source;
    private final ResultWriter results;
    private final Terminal terminal;
    private int code = ExitCode.OK;

    public QueryShell(QuerySession session, StatementSource source, ResultWriter results, Terminal terminal) {
        this.session = session;
        this.source = source;
        this.results = results;
        this.terminal = terminal;
    }

    /** Reads and runs statements until the input ends, and returns the exit code. */
    public int run() throws IOException {
        if (source.isInteractive()) {
            terminal.err.println("PerfettoSQL; .help for help, .quit to quit");
        }
        StringBuilder statement = new StringBuilder();
        while (!session.isUnusable() && (code == ExitCode.OK || source.isInteractive())) {
            String line;
            try {
                line = source.line(!statement.isEmpty());
            } catch (StatementSource.Abandoned _) {
                statement.setLength(0);
                continue;
            }
            if (line == null) {
                runIfAny(statement);
                break;
            }
            if (statement.isEmpty() && line.strip().startsWith(".")) {
                if (!command(line.strip())) {
                    break;
                }
            } else {
                statement.append(line).append('\n');
                if (StatementText.isComplete(statement)) {
                    runIfAny(statement);
                }
            }
            terminal.out.flush();
        }
        if (session.isUnusable()) {
            terminal.err.println("unjank query: the statement does not respond to cancellation; exiting");
            return ExitCode.STOPPED;
        }
        return source.isInteractive() ? ExitCode.OK : code;
    }

    private void runIfAny(StringBuilder statement) {
        String text = statement.toString();
        statement.setLength(0);
        if (!text.isBlank()) {
            source.whileInterruptible(() -> run(text), session::interrupt);
        }
    }

    private void run(String text) {
        ProgressLine progress = ProgressLine.show(terminal, "querying");
        try {
            session.run(text, rows -> {
                progress.close();
                results.write(rows);
            });
        } catch (QueryException e) {
            progress.close();
            terminal.out.flush();
            error(String.valueOf(e.getMessage()), exitCode(e));
            if (source.isInteractive() && e.offset() >= 0) {
                terminal.err.print(ErrorCaret.under(text, e.offset(), terminal.width()));
                terminal.err.flush();
            }
        } finally {
            progress.close();
        }
    }

    private void error(String message) {
        error(message, ExitCode.UNUSABLE);
    }

    private void error(String message, int exitCode) {
        terminal.err.println("unjank query: " + TerminalText.printable(message));
        code = exitCode;
    }

    /** Runs a dot command; false for {@code .quit}. */
    private boolean command(String line) {
        String[] words = line.split("\\s+", 2);
        String argument = words.length > 1 ? words[1] : "";
        switch (words[0].toLowerCase(Locale.ROOT)) {
            case ".quit", ".exit" -> {
                return false;
            }
            case ".help" -> terminal.out.print(HELP);
            case ".tables" -> list(session.relations(), argument);
            case ".functions" -> list(session.functions(), argument);
            case ".modules" -> list(QuerySession.modules(), argument);
            case ".schema" -> schema(argument);
            case ".timeout" -> timeout(argument);
            default -> error("no such command: " + words[0] + "; .help lists commands");
        }
        return true;
    }

    private void list(List<String> names, String prefix) {
        names.stream()
                .filter(name -> name.startsWith(prefix.toLowerCase(Locale.ROOT)) && !isInternal(name))
                .map(TerminalText::printable)
                .forEach(terminal.out::println);
    }

    /** Whether a name is internal to the standard library. */
    private static boolean isInternal(String name) {
        return name.startsWith("_");
    }

    private void schema(String table) {
        List<String> names = table.isEmpty()
                ? session.relations().stream().filter(name -> !isInternal(name)).toList()
                : List.of(table);
        for (String name : names) {
            List<Rows.Column> columns = session.columns(name);
            if (columns == null) {
                error("no such table: " + name + "; .tables lists tables");
                return;
            }
            List<String> lines = new ArrayList<>();
            columns.forEach(column -> lines.add("  " + TerminalText.printable(column.name()) + " " + column.type()));
            terminal.out.println(TerminalText.printable(name) + " (\n" + String.join(",\n", lines) + "\n)");
        }
    }

    /** The exit code for a failed statement. */
    public static int exitCode(QueryException e) {
        return switch (e.kind()) {
            case STATEMENT, FORBIDDEN -> ExitCode.UNUSABLE;
            case INTERRUPTED, MEMORY -> ExitCode.STOPPED;
            case FAILURE -> ExitCode.INTERNAL;
        };
    }

    private void timeout(String seconds) {
        try {
            Duration limit = seconds.isEmpty() || seconds.equals("0") ? null : StatementTimeout.parse(seconds);
            session.setTimeout(limit);
        } catch (TypeConversionException e) {
            error(".timeout " + e.getMessage());
        }
    }

    /**
     * The completions of a word. After {@code MODULE}: modules; after a table name and a dot: its columns; otherwise
     * tables, functions, keywords, and columns of the tables in the line.
     *
     * @param begun the word so far, at the end of the line
     */
    static List<String> completions(QuerySession session, String line, String begun) {
        Set<String> names = new TreeSet<>();
        int dot = begun.lastIndexOf('.');
        if (begun.startsWith(".")) {
            names.addAll(COMMANDS);
        } else if (namesModule(line, begun)) {
            names.addAll(QuerySession.modules());
        } else if (dot > 0) {
            List<Rows.Column> columns = columnsOf(session, line, begun.substring(0, dot));
            if (columns != null) {
                columns.forEach(column -> names.add(begun.substring(0, dot + 1) + column.name()));
            }
        } else {
            names.addAll(session.relations());
            session.functions().forEach(name -> names.add(name + "("));
            names.addAll(KEYWORDS);
            names.removeIf(QueryShell::isInternal);
            Matcher words = WORD.matcher(line);
            while (words.find()) {
                List<Rows.Column> columns = session.columns(words.group());
                if (columns != null) {
                    columns.forEach(column -> names.add(column.name()));
                }
            }
        }
        String prefix = begun.toLowerCase(Locale.ROOT);
        return names.stream()
                .filter(name -> name.toLowerCase(Locale.ROOT).startsWith(prefix))
                .toList();
    }

    private static boolean namesModule(String line, String begun) {
        return Pattern.compile(
                        "\\bMODULE\\s+" + Pattern.quote(begun) + "$", Pattern.CASE_INSENSITIVE | Pattern.MULTILINE)
                .matcher(line)
                .find();
    }

    /** The columns of a table, by its name or its alias in the line. */
    private static @Nullable List<Rows.Column> columnsOf(QuerySession session, String line, String name) {
        List<Rows.Column> columns = session.columns(name);
        Matcher aliased = Pattern.compile(
                        "\\b([A-Za-z_][A-Za-z_0-9]*)\\s+(AS\\s+)?" + Pattern.quote(name) + "\\b",
                        Pattern.CASE_INSENSITIVE)
                .matcher(line);
        while (columns == null && aliased.find()) {
            columns = session.columns(aliased.group(1));
        }
        return columns;
    }
}
