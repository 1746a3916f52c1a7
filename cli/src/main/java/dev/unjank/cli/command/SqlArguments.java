package dev.unjank.cli.command;

import dev.unjank.cli.terminal.UserError;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Pattern;

/** SQL from the command line or a file. */
final class SqlArguments {
    /** SQL that begins with a comment: unlike an option it has white space after the dashes, or a line break. */
    private static final Pattern COMMENT = Pattern.compile("--\\s.*|--.*\\R.*", Pattern.DOTALL);

    private SqlArguments() {}

    /** The arguments, with a space before SQL that begins with a comment, so that it is not parsed as an option. */
    static String[] notOptions(String... arguments) {
        return Arrays.stream(arguments)
                .map(argument -> COMMENT.matcher(argument).matches() ? " " + argument : argument)
                .toArray(String[]::new);
    }

    /** Reads SQL from a file in UTF-8. */
    static String of(Path file) throws IOException {
        if (Files.isDirectory(file)) {
            throw new UserError(file + ": is a directory (expected a file with SQL)");
        }
        try {
            return Files.readString(file);
        } catch (CharacterCodingException _) {
            throw new UserError(file + ": not UTF-8 text (expected a file with SQL)");
        }
    }
}
