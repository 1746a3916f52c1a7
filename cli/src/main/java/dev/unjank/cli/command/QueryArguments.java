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
 * What {@code unjank query} was given besides its options: traces, and behind them statements or none. The last argument is
 * statements if it cannot be a trace: there is no file of that name, and no statement does without what it has in it, a space,
 * a parenthesis or a semicolon. Anything else that is no file is told to be missing, so that a name with a slip of the finger
 * is not taken for SQL.
 *
 * @param traces the files, at least one
 * @param sql the statements, null if there are none
 */
record QueryArguments(List<Path> traces, @Nullable String sql) {
    private static final Pattern LIKE_SQL = Pattern.compile("[\\s();]");

    /**
     * Tells traces from statements.
     *
     * @param arguments at least one
     * @param onlyTraces whether the statements come from elsewhere
     * @throws UserError if there is no trace, if statements stand before one, or if there are too many
     */
    static QueryArguments of(List<String> arguments, boolean onlyTraces) {
        List<Path> traces = new ArrayList<>();
        String sql = null;
        for (String argument : arguments) {
            if (!isSql(argument)) {
                if (sql != null) {
                    throw new UserError(
                            "the traces come first, then the statements: found " + argument + " behind them");
                }
                traces.add(Path.of(argument));
            } else if (traces.isEmpty()) {
                throw new UserError(argument + ": there is no such file; the trace comes first, then the statements");
            } else if (sql != null) {
                throw new UserError("give all statements as one argument, with a semicolon after each");
            } else if (onlyTraces) {
                throw new UserError("give statements or -f FILE, not both");
            } else {
                sql = argument;
            }
        }
        return new QueryArguments(List.copyOf(traces), sql);
    }

    /** The traces' names for a person. */
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
