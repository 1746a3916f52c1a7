package dev.unjank.cli.command;

import dev.unjank.cli.file.AtomicFile;
import dev.unjank.cli.terminal.ExitCode;
import dev.unjank.cli.terminal.Terminal;
import dev.unjank.trace.text.TerminalText;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code unjank example}: writes a small example trace. */
@Command(
        description = {
            "%nThe trace is synthetic, modelled on an app startup on a phone: the launcher's main thread waits for the"
                    + " lock of its message queue, which a preempted low-priority thread holds. The file is always the"
                    + " same.%n"
        },
        footer = {
            "",
            "Examples:",
            "  unjank example && unjank doctor launcher-inversion.pftrace",
            "  unjank example -o /tmp/my.pftrace",
            "  unjank example -o - | unjank doctor -"
        })
final class ExampleCommand implements Callable<Integer> {

    private static final Path STANDARD_OUTPUT = Path.of("-");

    private final Terminal terminal;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            defaultValue = "launcher-inversion.pftrace",
            description = "Write the trace to FILE, replacing it; - for standard output (default: ${DEFAULT-VALUE}).")
    private Path output = Path.of("launcher-inversion.pftrace");

    ExampleCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException {
        byte[] trace;
        try (InputStream resource = ExampleCommand.class.getResourceAsStream("launcher-inversion.pftrace")) {
            trace = Objects.requireNonNull(resource, "a file of this jar").readAllBytes();
        }
        if (output.equals(STANDARD_OUTPUT)) {
            PrintStream out = terminal.outAsStream(); // the terminal records a write failure
            out.write(trace, 0, trace.length);
            out.flush();
            return ExitCode.OK;
        }
        AtomicFile.write(output, out -> out.write(trace));
        terminal.out.println("Wrote " + TerminalText.printable(output.toString()) + " (" + trace.length + " bytes).");
        return ExitCode.OK;
    }
}
