package dev.unjank.cli.command;

import dev.unjank.cli.terminal.InterruptionHandler;
import dev.unjank.record.session.RecordingSource;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Option;

/** Options for the JVM sources of commands that write a recording. */
final class JvmSourceOptions {
    /** The minimum duration of waits that the target's Flight Recorder records; there may be too many shorter ones. */
    static final Duration MIN_WAIT = Duration.ofMillis(1);

    /** The interval at which the Flight Recorder's events are fetched. */
    private static final Duration PIECE = Duration.ofSeconds(5);

    @Option(
            names = "--samples",
            paramLabel = "HZ",
            converter = AmountConverters.Rate.class,
            description = "Also sample the stacks of a JVM's running threads this many times a second, such as 50.")
    private int samples;

    /** The sources of a process; none records anything if it is not a JVM. */
    List<RecordingSource> sources(int pid, InterruptionHandler interruption) {
        return TargetProcessOptions.recorded(pid, interruption)
                .withSamples(samples)
                .sources(MIN_WAIT, PIECE);
    }
}
