package dev.unjank.cli;

import picocli.CommandLine.Command;

/** {@code unjank bench}: a heading for the benchmarks; it does nothing itself. */
@Command(
        synopsisSubcommandLabel = "COMMAND",
        footer = {
            "",
            "Examples:",
            "  unjank bench queue --quick          the queues against their peers, in a few minutes",
            "  unjank bench trace                  how fast a large trace is read"
        })
final class BenchCommand {}
