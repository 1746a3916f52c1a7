package dev.unjank.cli;

import dev.unjank.bench.TraceLoadBenchmark;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** {@code unjank bench trace}: how fast a large trace is read, and in how much memory. */
@Command(
        name = "trace",
        header = "Measure how fast a large trace is read, and in how much memory.",
        description = {
            "%nRepeats a trace until it is large, in a temporary file, and reads it in Java VMs of their own. Takes a minute "
                    + "or two.%n"
        },
        footer = {"", "Examples:", "  unjank bench trace", "  unjank bench trace boot.pftrace --mb 500"})
final class BenchTraceCommand implements Callable<Integer> {

    private static final long BYTES_PER_MB = 1_000_000;
    private static final int MAX_MB = 2_000;

    private final Terminal terminal;

    @Parameters(
            paramLabel = "TRACE",
            arity = "0..1",
            description =
                    "The trace to repeat (default: the example of this project, or a real one beside a checkout).")
    private @Nullable Path trace;

    @Option(
            names = "--mb",
            paramLabel = "N",
            defaultValue = "200",
            converter = Megabytes.class,
            description = "How large the repeated trace is, 1 to " + MAX_MB + " MB (default: ${DEFAULT-VALUE}).")
    private int megabytes;

    BenchTraceCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException {
        try {
            TraceLoadBenchmark.run(
                    trace,
                    megabytes * BYTES_PER_MB,
                    terminal.outAsStream(),
                    what -> Progress.show(terminal, what)::close);
        } catch (IOException e) {
            BenchCommand.letAnInterruptedProcessEnd();
            throw e;
        }
        return Unjank.FINE;
    }

    private static final class Megabytes implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String value) {
            if (value.matches("[0-9]{1,4}")) {
                int megabytes = Integer.parseInt(value);
                if (megabytes >= 1 && megabytes <= MAX_MB) {
                    return megabytes;
                }
            }
            throw new TypeConversionException("must be 1 to " + MAX_MB);
        }
    }
}
