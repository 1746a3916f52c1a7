package dev.unjank.cli;

import dev.unjank.cli.terminal.Terminal;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * One run of the command inside the test's own JVM.
 *
 * @param code its exit code
 * @param out its standard output
 * @param err its standard error
 */
public record CommandRun(int code, String out, String err) {

    public static CommandRun of(String... args) {
        return on(false, Map.of(), args);
    }

    public static CommandRun on(boolean terminal, Map<String, String> environment, String... args) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code = Unjank.run(Terminal.of(out, err, terminal, environment), args);
        return new CommandRun(code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }
}
