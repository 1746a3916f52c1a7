package dev.unjank.cli.command;

import dev.unjank.cli.file.AtomicFile;
import dev.unjank.cli.file.TraceInput;
import dev.unjank.cli.file.TraceInputs;
import dev.unjank.cli.terminal.ExitCode;
import dev.unjank.cli.terminal.ProgressLine;
import dev.unjank.cli.terminal.Terminal;
import dev.unjank.cli.terminal.UserError;
import dev.unjank.trace.convert.PerfettoConverter;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.text.TerminalText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code unjank convert}: converts a recording to Perfetto's format. */
@Command(
        description = {
            "%nConverts a Flight Recorder recording or a systrace to a Perfetto trace, for ui.perfetto.dev and other"
                    + " tools. A damaged file is converted as far as possible. Warnings list the data that could not"
                    + " be converted.%n"
        },
        footer = {
            "",
            "Examples:",
            "  unjank convert app.jfr -o app.pftrace",
            "  unjank convert app.jfr.gz -o app.pftrace       compressed files are recognized",
            "  unjank convert trace.html -o trace.pftrace     systrace in HTML"
        })
final class ConvertCommand implements Callable<Integer> {
    private static final long MAX_STANDARD_INPUT = 2L << 30;

    private final Terminal terminal;

    @Parameters(
            paramLabel = "IN",
            description = "A Flight Recorder recording or systrace; plain, gzip or zip; - for standard input.")
    private @Nullable Path input;

    @Option(
            names = {"-o", "--output"},
            required = true,
            paramLabel = "OUT",
            description = "Write the Perfetto trace to OUT, replacing it.")
    private @Nullable Path output;

    ConvertCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException {
        if (input == null || output == null) {
            throw new UserError("missing IN or -o OUT");
        }
        TraceInput.refuseToOverwrite(output, List.of(input));
        Trace trace;
        List<String> left = new ArrayList<>();
        try (TraceInputs inputs = TraceInputs.of(List.of(input), System.in, MAX_STANDARD_INPUT);
                ProgressLine _ =
                        ProgressLine.show(terminal, "converting " + TerminalText.printable(input.toString()))) {
            trace = inputs.read();
            AtomicFile.write(output, out -> left.addAll(PerfettoConverter.write(trace, out)));
        }
        trace.warnings().forEach(warning -> terminal.err.println("warning: " + TerminalText.printable(warning)));
        left.forEach(what -> terminal.err.println("warning: not converted: " + TerminalText.printable(what)));
        terminal.out.println(String.format(
                Locale.ROOT,
                "Wrote %s (%.1f MB, %,d slices, %,d thread states).",
                TerminalText.printable(output.toString()),
                Files.size(output) / 1e6,
                trace.slices().size(),
                trace.threadStates().size()));
        return ExitCode.OK;
    }
}
