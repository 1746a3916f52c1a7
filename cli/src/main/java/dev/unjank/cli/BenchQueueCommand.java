package dev.unjank.cli;

import dev.unjank.bench.queue.QueueBenchmarks;
import java.util.concurrent.Callable;
import org.openjdk.jmh.runner.RunnerException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code unjank bench queue}: the queues against their peers. */
@Command(
        name = "queue",
        header = "Measure the message queues against their peers.",
        description = {
            "%nRuns JMH: from post to run, inserts among pending timers, drain of due timers, cancelled timeouts; for the "
                    + "lock-free and the monitor queue, the JDK's ScheduledThreadPoolExecutor and ForkJoinPool, Netty's event "
                    + "loop, and the queues of JCTools and Agrona. Close other programs first: the ratios hold only on a quiet "
                    + "machine.%n"
        },
        footer = {"", "Examples:", "  unjank bench queue --quick", "  unjank bench queue > queue.txt"})
final class BenchQueueCommand implements Callable<Integer> {

    private final Terminal terminal;

    @Option(
            names = "--quick",
            description = "A few minutes instead of most of an hour: enough to see orders of magnitude.")
    private boolean quick;

    BenchQueueCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws RunnerException {
        try {
            QueueBenchmarks.run(quick, terminal.out, terminal.err);
        } catch (RunnerException e) {
            BenchCommand.letAnInterruptedProcessEnd();
            throw e;
        }
        return Unjank.FINE;
    }
}
