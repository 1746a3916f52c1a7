package dev.unjank.record.jvm;

import dev.unjank.record.thread.Start;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A recording of the target's Flight Recorder in pieces, each a file. Before a piece is ended the next one has begun, so nothing
 * is missed between them; what is in both has its chunks in both, which {@link FlightRecorderSource} tells by their clocks.
 *
 * <p>Each piece ends by itself if nobody ends it: when the recorder was killed, the target stops recording soon after. A recorder that was
 * only held up for so long is told what it has missed. When the target exits in an orderly way, it writes the piece that is under way.
 */
final class RollingRecording implements AutoCloseable {
    /** A piece that nobody ends lasts so many times as long as it should. */
    private static final int PATIENCE = 4;

    private static final Duration SHORTEST = Duration.ofSeconds(10);

    private static final String SETTINGS = "settings.jfc";

    private final Commands vm;
    private final Workspace workspace;
    private final Duration lease;
    private final Gaps gaps;
    private final LongSupplier clock;
    private final String prefix;
    private int count;
    private @Nullable Piece current;

    /**
     * With any target, by any clock.
     *
     * @param vm carries commands out
     * @param workspace where the files are
     * @param piece how long a piece is meant to be
     * @param gaps is told when nothing was recorded
     * @param clock the time in ns, as {@link System#nanoTime}
     */
    RollingRecording(Commands vm, Workspace workspace, Duration piece, Gaps gaps, LongSupplier clock) {
        this.vm = vm;
        this.workspace = workspace;
        this.gaps = gaps;
        this.clock = clock;
        Duration patient = piece.multipliedBy(PATIENCE);
        lease = patient.compareTo(SHORTEST) < 0 ? SHORTEST : patient;
        prefix = workspace.name() + "-";
    }

    /** Carries out diagnostic commands. */
    interface Commands {
        /** Carries one out: see {@link TargetVm#command}. */
        String command(String command) throws IOException;
    }

    /** Takes the times in which nothing was recorded. */
    interface Gaps {
        /** Between these times a piece had ended, and there was no other: at most for all of that. */
        void missed(long fromNs, long untilNs);
    }

    /**
     * A piece.
     *
     * @param name its name in the target
     * @param begun when it began
     */
    private record Piece(String name, long begun) {}

    /**
     * Makes a recording that has not begun.
     *
     * @param vm the target
     * @param threshold what took less than this is not recorded
     * @param piece how long a piece is meant to be
     * @param gaps is told when nothing was recorded
     */
    static RollingRecording create(TargetVm vm, Duration threshold, Duration piece, Gaps gaps) throws IOException {
        Workspace workspace = Workspace.create(vm, SETTINGS, Settings.configuration(threshold));
        return new RollingRecording(vm::command, workspace, piece, gaps, System::nanoTime);
    }

    /** Begins the first piece. */
    void start() throws IOException {
        current = begin();
    }

    private Piece begin() throws IOException {
        String name = prefix + ++count;
        long begun = clock.getAsLong();
        vm.command("JFR.start name=%s settings=%s duration=%ds filename=%s dumponexit=true"
                .formatted(name, workspace.inTarget(SETTINGS), lease.toSeconds(), workspace.inTarget(file(name))));
        return new Piece(name, begun);
    }

    private static String file(String name) {
        return name + ".jfr";
    }

    /** Begins the next piece, ends the last one, and returns the name of its file. */
    String roll() throws IOException {
        Piece last = current();
        current = begin();
        return end(last);
    }

    /** Ends the recording, if it has begun. What is left is in its file. */
    void stop() throws IOException {
        if (current != null) {
            end(current);
        }
    }

    private String end(Piece piece) throws IOException {
        String file = file(piece.name);
        long now = clock.getAsLong(); // if there is a next piece, it has just begun
        try {
            stop(piece);
        } catch (IOException e) {
            if (!isWritten(file)) {
                throw e;
            }
            // It has ended by itself: nobody came in time, as when the recorder was stopped for a while. Before its
            // time
            // somebody else has ended it, and nobody knows when.
            long ends = piece.begun + lease.toNanos();
            gaps.missed(ends - now <= 0 ? ends : piece.begun, now);
        }
        return file;
    }

    /** That it cannot is no failure of the command, but an answer. */
    private void stop(Piece piece) throws IOException {
        String answer = vm.command("JFR.stop name=" + piece.name);
        if (!answer.contains("Stopped recording")) {
            throw new IOException("Flight Recorder does not stop: " + answer);
        }
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
        return isWritten(file(current().name));
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

    private Piece current() {
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
