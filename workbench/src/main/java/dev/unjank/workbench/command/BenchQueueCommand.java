package dev.unjank.workbench.command;

import dev.unjank.cli.terminal.Terminal;
import dev.unjank.workbench.bench.queue.QueueBenchmarks;
import picocli.CommandLine.Command;

/** {@code unjank bench queue}: compares the queue with other implementations. */
@Command(
        name = "queue",
        header = "Compare the message queue with other queues.",
        description = {
            "%nPrints a table per benchmark: results of this project's lock-free queue and of others, and whether the"
                    + " targets are met. Each implementation runs in its own JVM; runs are interleaved so that"
                    + " background load affects all equally. Still, close other programs first.%n",
            "A ratio is the median over many rounds, with its 90 %% confidence interval in brackets. A regression is"
                    + " reported only if a target that was met before is missed by more than the interval in two"
                    + " consecutive measurements with fresh JVMs.%n",
        },
        footer = {
            "",
            "Examples:",
            "  unjank bench queue --quick",
            "  unjank bench queue --only post-to-run --only cancel",
            "  unjank bench queue > queue.txt",
            "  unjank bench queue --record         after an improvement, on an idle machine"
        })
public final class BenchQueueCommand extends ComparisonCommand {
    public BenchQueueCommand(Terminal terminal) {
        super(QueueBenchmarks.CONTEST, terminal);
    }
}
