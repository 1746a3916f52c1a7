package dev.unjank.workbench.command;

import dev.unjank.cli.terminal.Terminal;
import dev.unjank.workbench.bench.locks.LockBenchmarks;
import picocli.CommandLine.Command;

/** {@code unjank bench locks}: compares the locks with other implementations. */
@Command(
        name = "locks",
        header = "Compare the locks and the thread handoff with other implementations.",
        description = {
            "%nPrints a table per benchmark: results of this project's locks and of others, and whether the targets"
                    + " are met. Each implementation runs in its own JVM; runs are interleaved so that background load"
                    + " affects all equally. Still, close other programs first.%n",
            "A ratio is the median over many rounds, with its 90 %% confidence interval in brackets. A regression is"
                    + " reported only if a target that was met before is missed by more than the interval in two"
                    + " consecutive measurements with fresh JVMs.%n",
            "Priority inheritance and real-time scheduling need privileges (CAP_SYS_NICE); without them these columns"
                    + " are empty; the reason is printed above the tables.%n",
        },
        footer = {
            "",
            "Examples:",
            "  unjank bench locks --quick",
            "  unjank bench locks --only vip-wait --only handoff",
            "  unjank bench locks > locks.txt",
            "  unjank bench locks --record         after an improvement, on an idle machine"
        })
public final class BenchLocksCommand extends ComparisonCommand {
    public BenchLocksCommand(Terminal terminal) {
        super(LockBenchmarks.CONTEST, terminal);
    }
}
