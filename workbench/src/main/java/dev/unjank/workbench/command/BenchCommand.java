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
public final class BenchCommand {
    private static final long MOMENT_MILLIS = 200;

    /**
     * To be called when a benchmark has failed, before the failure is reported. ^C also ends its Java VMs, perhaps a moment
     * before this process: that is no failure to report, and this process ends while this waits.
     */
    static void letAnInterruptedProcessEnd() {
        try {
            Thread.sleep(MOMENT_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
