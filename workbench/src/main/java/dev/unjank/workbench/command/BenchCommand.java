package dev.unjank.workbench.command;

import picocli.CommandLine.Command;

/** {@code unjank bench}: groups the benchmark commands. */
@Command(
        synopsisSubcommandLabel = "COMMAND",
        footer = {
            "",
            "Examples:",
            "  unjank bench queue --quick          compare the queues with others; takes a few minutes",
            "  sudo unjank bench locks --quick     compare the locks with others; priority inheritance needs sudo",
            "  unjank bench doctor                 speed and memory of reading and diagnosing traces",
            "  unjank bench fleet --quick          throughput for many traces",
            "  sudo unjank bench record            overhead of recording for the target process"
        })
public final class BenchCommand {}
