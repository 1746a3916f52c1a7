package dev.unjank.record.jvm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A recording of the target's Flight Recorder in pieces, each a file. Before a piece is ended the next one has begun, so nothing
 * is missed between them; what is in both has its chunks in both, which {@link FlightRecorderSource} tells by their clocks.
 *
 * <p>Each piece ends by itself if nobody ends it: when the recorder was killed, the target stops recording soon after.
 * When the target exits in an orderly way, it writes the piece that is under way.
 */
final class RollingRecording {
    /** A piece that nobody ends lasts so many times as long as it should. */
    private static final int PATIENCE = 4;

    private static final Duration SHORTEST = Duration.ofSeconds(10);

    private final TargetVm vm;
    private final Workspace workspace;
    private final Path configuration;
    private final Duration lease;
    private final String prefix;
    private int count;
    private @Nullable String current;

    /**
     * A recording that has not begun.
     *
     * @param piece how long a piece is meant to be
     */
    RollingRecording(TargetVm vm, Workspace workspace, Duration threshold, Duration piece) throws IOException {
        this.vm = vm;
        this.workspace = workspace;
        configuration = workspace.put("settings.jfc", Settings.configuration(threshold));
        Duration patient = piece.multipliedBy(PATIENCE);
        lease = patient.compareTo(SHORTEST) < 0 ? SHORTEST : patient;
        prefix = workspace.name() + "-"; // no other recording of this target has it
    }

    /** Begins the first piece. */
    void start() throws IOException {
        current = begin();
    }

    private String begin() throws IOException {
        String name = prefix + ++count;
        vm.command("JFR.start name=%s settings=%s duration=%ds filename=%s dumponexit=true"
                .formatted(name, configuration, lease.toSeconds(), workspace.inTarget(file(name))));
        return name;
    }

    private static String file(String name) {
        return name + ".jfr";
    }

    /** Begins the next piece, ends the last one, and returns its file. */
    Path roll() throws IOException {
        String last = current();
        current = begin();
        return end(last);
    }

    /** Ends the recording, and returns the file of what is left. */
    Path stop() throws IOException {
        return end(current());
    }

    private Path end(String name) throws IOException {
        Path file = workspace.here(file(name));
        try {
            vm.command("JFR.stop name=" + name);
        } catch (IOException e) {
            if (!Files.exists(file) || Files.size(file) == 0) {
                throw e;
            }
            // It has ended by itself: nobody came in time, as when the recorder was stopped for a while.
        }
        return file;
    }

    /** The files that the target has written by itself, having exited. */
    List<Path> leftBehind() {
        List<Path> files = new ArrayList<>();
        for (int number = 1; number <= count; number++) {
            Path file = workspace.here(file(prefix + number));
            if (Files.exists(file)) {
                files.add(file);
            }
        }
        return files;
    }

    private String current() {
        return Start.required(current);
    }
}
