package dev.unjank.record.jvm;

import dev.unjank.record.thread.Start;
import java.io.IOException;
import java.nio.channels.FileChannel;
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
final class RollingRecording implements AutoCloseable {
    /** A piece that nobody ends lasts so many times as long as it should. */
    private static final int PATIENCE = 4;

    private static final Duration SHORTEST = Duration.ofSeconds(10);

    private static final String SETTINGS = "settings.jfc";

    private final TargetVm vm;
    private final Workspace workspace;
    private final Duration lease;
    private final String prefix;
    private int count;
    private @Nullable String current;

    private RollingRecording(TargetVm vm, Workspace workspace, Duration piece) {
        this.vm = vm;
        this.workspace = workspace;
        Duration patient = piece.multipliedBy(PATIENCE);
        lease = patient.compareTo(SHORTEST) < 0 ? SHORTEST : patient;
        prefix = workspace.name() + "-";
    }

    /**
     * Makes a recording that has not begun.
     *
     * @param vm the target
     * @param threshold what took less than this is not recorded
     * @param piece how long a piece is meant to be
     */
    static RollingRecording create(TargetVm vm, Duration threshold, Duration piece) throws IOException {
        return new RollingRecording(vm, Workspace.create(vm, SETTINGS, Settings.configuration(threshold)), piece);
    }

    /** Begins the first piece. */
    void start() throws IOException {
        current = begin();
    }

    private String begin() throws IOException {
        String name = prefix + ++count;
        vm.command("JFR.start name=%s settings=%s duration=%ds filename=%s dumponexit=true"
                .formatted(name, workspace.inTarget(SETTINGS), lease.toSeconds(), workspace.inTarget(file(name))));
        return name;
    }

    private static String file(String name) {
        return name + ".jfr";
    }

    /** Begins the next piece, ends the last one, and returns the name of its file. */
    String roll() throws IOException {
        String last = current();
        current = begin();
        return end(last);
    }

    /** Ends the recording, if it has begun. What is left is in its file. */
    void stop() throws IOException {
        if (current != null) {
            end(current);
        }
    }

    private String end(String name) throws IOException {
        try {
            vm.command("JFR.stop name=" + name);
        } catch (IOException e) {
            if (!isWritten(file(name))) {
                throw e;
            }
            // It has ended by itself: nobody came in time, as when the recorder was stopped for a while.
        }
        return file(name);
    }

    private boolean isWritten(String file) throws IOException {
        try (FileChannel written = workspace.open(file)) {
            return written != null;
        }
    }

    /** The files that the target has written by itself, having exited. */
    List<String> leftBehind() throws IOException {
        List<String> files = new ArrayList<>();
        for (int number = 1; number <= count; number++) {
            String file = file(prefix + number);
            if (isWritten(file)) {
                files.add(file);
            }
        }
        return files;
    }

    /** Whether the piece that is under way is among them: not so if the target was killed. */
    boolean hasLast() throws IOException {
        return isWritten(file(current()));
    }

    /** Reads a file, and deletes it. */
    void read(String file, Reader reader) throws IOException {
        try (FileChannel channel = workspace.open(file)) {
            if (channel == null) {
                throw new IOException("the target has not written " + workspace.inTarget(file));
            }
            reader.read(channel);
        }
        workspace.delete(file);
    }

    /** Reads a file. */
    interface Reader {
        void read(FileChannel channel) throws IOException;
    }

    private String current() {
        return Start.required(current);
    }

    /** How the names begin of all pieces, and of no other recording of the target's. */
    String prefix() {
        return prefix;
    }

    /** How long the target goes on recording if nobody ends it. */
    Duration lease() {
        return lease;
    }

    /** Deletes what is left of the files. */
    @Override
    public void close() throws IOException {
        workspace.close();
    }
}
