package dev.unjank.cli.command;

import dev.unjank.cli.demo.Demo;
import dev.unjank.cli.file.AtomicFile;
import dev.unjank.cli.terminal.ExitCode;
import dev.unjank.cli.terminal.Terminal;
import dev.unjank.cli.terminal.UserError;
import dev.unjank.looper.QueueKind;
import dev.unjank.record.LooperTrace;
import dev.unjank.trace.text.TerminalText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code unjank demo}: a UI loop under load, with each queue implementation. */
@Command(
        description = {
            "%nA UI loop ticks 60 times a second. Normal-priority threads keep all CPUs busy, and low-priority threads"
                    + " post delayed messages to the loop. With a lock-based queue the loop stalls: a low-priority"
                    + " thread is preempted while it holds the lock. The same load then runs with the lock-free queue."
                    + " No privileges are needed.%n"
        },
        footer = {
            "",
            "Examples:",
            "  unjank demo",
            "  unjank demo --seconds 3",
            "  unjank demo --queue lockfree",
            "  unjank demo --queue lockfree --seconds 3 --trace demo.pftrace    open it in ui.perfetto.dev"
        })
final class DemoCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "10",
            converter = Seconds.class,
            description = "Seconds per queue, 1 to " + Demo.MAX_SECONDS + " (default: ${DEFAULT-VALUE}).")
    private int seconds;

    @Mixin
    private final QueueOption queues = new QueueOption();

    @Option(
            names = "--trace",
            paramLabel = "FILE",
            description = "Record the UI loop with the lock-free queue to FILE, a Perfetto trace. An existing file is"
                    + " replaced.")
    private @Nullable Path trace;

    DemoCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws InterruptedException, IOException {
        Demo demo = new Demo(terminal.out, terminal.width(), terminal.colour(), terminal::hasOutputFailed);
        if (trace == null) {
            demo.run(queues.kinds(), seconds, null);
        } else {
            runTraced(demo, trace);
        }
        return ExitCode.OK;
    }

    private void runTraced(Demo demo, Path file) throws InterruptedException, IOException {
        if (!queues.kinds().contains(QueueKind.LOCK_FREE)) {
            throw new UserError("--trace records the lock-free queue: use it with --queue lockfree or both");
        }
        long lost;
        try (AtomicFile whole = AtomicFile.at(file)) {
            LooperTrace recording = LooperTrace.start(whole.stream());
            try (recording) {
                demo.run(queues.kinds(), seconds, recording);
            }
            lost = recording.lostMarks();
            whole.done();
        }
        terminal.out.println("Wrote " + TerminalText.printable(file.toString()) + " (" + Files.size(file) + " bytes"
                + (lost == 0 ? "" : ", " + lost + " marks were lost")
                + "). Open it in ui.perfetto.dev.");
    }

    private static final class Seconds extends IntRangeConverter {
        Seconds() {
            super(Demo.MAX_SECONDS);
        }
    }
}
