package dev.unjank.workbench.command;

import picocli.CommandLine.Command;

/** {@code unjank bench}: a heading for the benchmarks; it measures nothing itself. */
@Command(
        synopsisSubcommandLabel = "COMMAND",
        footer = {
            "",
            "Examples:",
            "  unjank bench queue --quick          the queues against their peers, in a few minutes",
            "  sudo unjank bench locks --quick     the locks against theirs; without sudo nothing is lent",
            "  unjank bench doctor                 how fast traces are read and diagnosed",
            "  unjank bench fleet --quick          how fast many traces are",
            "  sudo unjank bench record            what recording costs the process that is recorded"
        })
public final class BenchCommand {}
