package dev.unjank.workbench.command;

import dev.unjank.cli.terminal.Terminal;
import dev.unjank.workbench.bench.queue.QueueBenchmarks;
import picocli.CommandLine.Command;

/** {@code unjank bench queue}: the queue against its peers, with a target for each thing measured. */
@Command(
        name = "queue",
        header = "Measure the message queue against its peers.",
        description = {
            "%nPrints a table for each thing measured: the figures of this project's lock-free queue and of its "
                    + "peers, the targets, and whether they are met. Each peer runs in a Java VM of its own, and they take "
                    + "turns, so that other load on the machine affects all alike. "
                    + "Close other programs first all the same.%n",
            "A ratio is the median of many rounds; in brackets is the interval that holds the true one with 90 %% "
                    + "probability. A target counts as lost only if it is on this project's list of targets met, and two "
                    + "measurements in a row, with fresh Java VMs, miss it by more than that interval.%n",
        },
        footer = {
            "",
            "Examples:",
            "  unjank bench queue --quick",
            "  unjank bench queue --only post-to-run --only cancel",
            "  unjank bench queue > queue.txt",
            "  unjank bench queue --record         after a change for the better, on a quiet machine"
        })
public final class BenchQueueCommand extends ComparisonCommand {
    public BenchQueueCommand(Terminal terminal) {
        super(QueueBenchmarks.CONTEST, terminal);
    }
}
