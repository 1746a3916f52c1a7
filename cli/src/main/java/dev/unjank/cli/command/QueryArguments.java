package dev.unjank.cli.command;

import dev.unjank.cli.terminal.UserError;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The positional arguments of {@code unjank query}: traces, then optionally SQL. The last argument is taken as SQL if
 * it contains a space, parenthesis or semicolon, as every statement does, and no such file exists. Any other missing
 * file is an error, so that a mistyped file name is not parsed as SQL.
 *
 * @param traces the files, at least one
 * @param sql the statements; null if there are none
 */
record QueryArguments(List<Path> traces, @Nullable String sql) {
    private static final Pattern LIKE_SQL = Pattern.compile("[\\s();]");

    /**
     * Separates traces from statements.
     *
     * @param arguments at least one
     * @param onlyTraces whether the statements come from a file
     * @throws UserError if there is no trace, a trace after statements, or more than one argument with statements
     */
    static QueryArguments of(List<String> arguments, boolean onlyTraces) {
        List<Path> traces = new ArrayList<>();
        String sql = null;
        for (String argument : arguments) {
            if (!isSql(argument)) {
                if (sql != null) {
                    throw new UserError("traces must precede the statements: found " + argument + " after them");
                }
                traces.add(Path.of(argument));
            } else if (traces.isEmpty()) {
                throw new UserError(argument + ": no such file; the trace must precede the statements");
            } else if (sql != null) {
                throw new UserError("pass all statements as one argument, separated by semicolons");
            } else if (onlyTraces) {
                throw new UserError("give statements or -f FILE, not both");
            } else {
                sql = argument;
            }
        }
        return new QueryArguments(List.copyOf(traces), sql);
    }

    /** The traces' names, separated by commas. */
    static String names(List<Path> traces) {
        return traces.stream().map(Path::toString).collect(Collectors.joining(", "));
    }

    private static boolean isSql(String argument) {
        return LIKE_SQL.matcher(argument).find() && !isFile(argument);
    }

    private static boolean isFile(String argument) {
        try {
            return Files.exists(Path.of(argument));
        } catch (InvalidPathException _) {
            return false;
        }
    }
}
