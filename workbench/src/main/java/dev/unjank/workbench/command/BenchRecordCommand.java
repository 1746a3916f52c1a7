package dev.unjank.workbench.command;

import dev.unjank.cli.terminal.ExitCode;
import dev.unjank.cli.terminal.Terminal;
import dev.unjank.workbench.bench.record.RecordBenchmark;
import dev.unjank.workbench.bench.record.RecordWorkload;
import java.io.IOException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** {@code unjank bench record}: the overhead of recording for the target process. */
@Command(
        name = "record",
        header = "Measure the overhead of recording for the target process.",
        description = {
            "%nRuns five workloads (lock contention, lock contention plus 1,000 idle threads, a busy message loop,"
                    + " compression, idle), alternately with and without recording as in unjank record. The table"
                    + " shows the overhead, the targets, and whether they are met. Takes about 15 minutes. With root"
                    + " it also measures kernel scheduling events.%n"
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:success",
            "2:wrong usage, or recording is not possible on this machine",
            "3:a target is missed beyond its confidence interval (never with --quick)"
        },
        footer = {"", "Examples:", "  sudo unjank bench record", "  sudo unjank bench record --quick --only messages"})
public final class BenchRecordCommand extends MeasuringCommand {
    private static final int MISSED = 3;

    @Option(names = "--quick", description = "Run for about 30 seconds; intervals are wider.")
    private boolean quick;

    @Option(
            names = "--only",
            paramLabel = "NAME",
            converter = ByLabel.class,
            description =
                    "Run only this workload; may be repeated. One of: contended, crowded, messages, zipping, idle.")
    private List<RecordWorkload> only = List.of();

    public BenchRecordCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    int measure() throws IOException {
        Set<RecordWorkload> workloads = only.isEmpty() ? EnumSet.allOf(RecordWorkload.class) : EnumSet.copyOf(only);
        int missed = RecordBenchmark.run(workloads, quick, terminal.out, progress);
        return missed > 0 && !quick ? MISSED : ExitCode.OK;
    }

    private static final class ByLabel implements ITypeConverter<RecordWorkload> {
        @Override
        public RecordWorkload convert(String value) {
            return Arrays.stream(RecordWorkload.values())
                    .filter(workload -> workload.label().equals(value))
                    .findFirst()
                    .orElseThrow(() -> new TypeConversionException("must be one of "
                            + Arrays.stream(RecordWorkload.values())
                                    .map(RecordWorkload::label)
                                    .collect(Collectors.joining(", "))));
        }
    }
}
