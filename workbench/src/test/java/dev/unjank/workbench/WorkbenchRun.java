package dev.unjank.workbench;

import dev.unjank.cli.command.RootCommand;
import dev.unjank.cli.terminal.Terminal;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * One run of the workbench inside the test's own JVM.
 *
 * @param code its exit code
 * @param out its standard output
 * @param err its standard error
 */
public record WorkbenchRun(int code, String out, String err) {

    public static WorkbenchRun of(String... args) {
        return on(false, Map.of(), args);
    }

    static WorkbenchRun on(boolean terminal, Map<String, String> environment, String... args) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code = RootCommand.run(new Workbench(), Terminal.of(out, err, terminal, environment), args);
        return new WorkbenchRun(code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }
}
