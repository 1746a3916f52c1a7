package dev.unjank.workbench.command;

import dev.unjank.cli.terminal.Terminal;
import dev.unjank.workbench.bench.locks.LockBenchmarks;
import picocli.CommandLine.Command;

/** {@code unjank bench locks}: the locks against their peers, with a target for each thing measured. */
@Command(
        name = "locks",
        header = "Measure the locks and the handing over against their peers.",
        description = {
            "%nPrints a table for each thing measured: the figures of this project's locks and of others, "
                    + "the targets, and whether they are met. Each runs in a Java VM of its own, and they take "
                    + "turns, so that other load on the machine affects all alike. "
                    + "Close other programs first all the same.%n",
            "A ratio is the median of many rounds; in brackets is the interval that holds the true one with 90 %% "
                    + "probability. A target counts as lost only if it is on this project's list of targets met, and two "
                    + "measurements in a row, with fresh Java VMs, miss it by more than that interval.%n",
            "Priority inheritance and real-time scheduling need privileges (CAP_SYS_NICE); without them those columns are empty, and the "
                    + "reason stands above the tables.%n",
        },
        footer = {
            "",
            "Examples:",
            "  unjank bench locks --quick",
            "  unjank bench locks --only vip-wait --only handoff",
            "  unjank bench locks > locks.txt",
            "  unjank bench locks --record         after a change for the better, on a quiet machine"
        })
public final class BenchLocksCommand extends ComparisonCommand {
    public BenchLocksCommand(Terminal terminal) {
        super(LockBenchmarks.CONTEST, terminal);
    }
}
