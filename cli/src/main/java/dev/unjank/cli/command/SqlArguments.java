package dev.unjank.cli.command;

import dev.unjank.cli.terminal.UserError;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Pattern;

/** Statements as users hand them over. */
final class SqlArguments {
    /** A comment is as good a beginning as any, and published queries have one; no option has a blank behind its dashes. */
    private static final Pattern COMMENT = Pattern.compile("--\\s.*|--.*\\R.*", Pattern.DOTALL);

    private SqlArguments() {}

    /** The arguments of a command, those that begin with a comment made such that they are not taken for an option. */
    static String[] notOptions(String... arguments) {
        return Arrays.stream(arguments)
                .map(argument -> COMMENT.matcher(argument).matches() ? " " + argument : argument)
                .toArray(String[]::new);
    }

    /**
     * Reads statements.
     *
     * @param file text in UTF-8
     * @throws UserError if it is something else
     */
    static String of(Path file) throws IOException {
        if (Files.isDirectory(file)) {
            throw new UserError(file + ": no statements: this is a directory");
        }
        try {
            return Files.readString(file);
        } catch (CharacterCodingException _) {
            throw new UserError(file + ": no statements: this is no text in UTF-8");
        }
    }
}
