package dev.unjank.workbench.command;

import dev.unjank.cli.terminal.ExitCode;
import dev.unjank.cli.terminal.Terminal;
import dev.unjank.cli.terminal.UserError;
import dev.unjank.workbench.bench.comparison.ComparisonBenchmark;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/**
 * A benchmark command that compares implementations in tables with targets. The help of each subclass describes its
 * benchmarks.
 */
@Command(
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:success; no regression",
            "1:internal failure (--debug shows the stack trace)",
            "2:wrong usage",
            "3:regression: a target met before is now missed"
        })
abstract class ComparisonCommand extends MeasuringCommand {
    private static final int LOST = 3;

    private final ComparisonBenchmark contest;
    private final OptionSpec only;

    @Option(names = "--quick", description = "Run for about 5 minutes instead of 30; intervals are wider.")
    private boolean quick;

    @Option(
            names = "--record",
            description = "After the run, update this checkout's list of met targets with those whose whole interval is"
                    + " within the limit.")
    private boolean record;

    ComparisonCommand(ComparisonBenchmark contest, Terminal terminal) {
        super(terminal);
        this.contest = contest;
        only = OptionSpec.builder("--only")
                .paramLabel("NAME")
                .type(List.class)
                .auxiliaryTypes(String.class)
                .initialValue(List.of())
                .completionCandidates(contest.names())
                .converters(this::checked)
                .description("Run only this benchmark; may be repeated. One of: ${COMPLETION-CANDIDATES}.")
                .build();
    }

    /**
     * The command with all its options: the values of {@code --only} are not constants, so an annotation cannot list
     * them.
     */
    public final CommandLine commandLine() {
        CommandLine line = new CommandLine(this);
        line.getCommandSpec().addOption(only);
        return line;
    }

    @Override
    final int measure() throws IOException, InterruptedException {
        String root = System.getProperty("unjank.root");
        if (record && root == null) {
            throw new UserError("--record works only with the launcher of a checkout");
        }
        List<String> names = only.getValue();
        ComparisonBenchmark.Result result =
                contest.run(quick, names.isEmpty() ? contest.names() : names, terminal.out, terminal.err);
        if (record) {
            terminal.err.println("recorded in " + result.record(Path.of(root)));
        }
        return result.lost().isEmpty() ? ExitCode.OK : LOST;
    }

    private String checked(String value) {
        if (!contest.names().contains(value)) {
            throw new TypeConversionException("must be one of " + String.join(", ", contest.names()));
        }
        return value;
    }
}
