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

/** {@code unjank bench record}: what recording costs the process that is recorded. */
@Command(
        name = "record",
        header = "Measure what recording costs the process that is recorded.",
        description = {
            "%nA process that contends for locks, the same beside 1,000 idle threads, one with a busy message loop, one that"
                    + " compresses and one that does nothing"
                    + " are recorded and not recorded in turns, as unjank record does it. The table shows the loss of throughput, the"
                    + " targets, and whether they are met. Takes about a quarter of an hour; as root also the kernel's"
                    + " scheduling is measured.%n"
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:measured",
            "2:nothing can be measured here",
            "3:a target is surely missed (never with --quick)"
        },
        footer = {"", "Examples:", "  sudo unjank bench record", "  sudo unjank bench record --quick --only messages"})
public final class BenchRecordCommand extends MeasuringCommand {
    private static final int MISSED = 3;

    @Option(names = "--quick", description = "Half a minute, with wider intervals.")
    private boolean quick;

    @Option(
            names = "--only",
            paramLabel = "NAME",
            converter = ByLabel.class,
            description = "Measure this alone; may be repeated. One of: contended, crowded, messages, zipping, idle.")
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
