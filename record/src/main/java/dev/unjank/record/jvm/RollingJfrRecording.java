package dev.unjank.record.jvm;

import dev.unjank.record.lifecycle.Started;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A recording of the target's Flight Recorder in pieces, each a file. Before a piece is ended the next one has begun, so nothing
 * is missed between them; what is in both has its chunks in both, which {@link FlightRecorderSource} tells by their clocks.
 *
 * <p>Each piece ends by itself if nobody ends it: when the recorder was killed, the target stops recording soon after. A recorder that was
 * only held up for so long is told what it has missed. When the target exits in an orderly way, it writes the piece that is under way.
 *
 * <p>One thread rolls and reads; another may {@link #stop} the recording meanwhile.
 */
final class RollingJfrRecording implements AutoCloseable {
    /** A piece that nobody ends lasts so many times as long as it should. */
    private static final int PATIENCE = 4;

    private static final Duration SHORTEST = Duration.ofSeconds(10);

    private static final String SETTINGS = "settings.jfc";
    private static final String STOP = "JFR.stop name=";

    private final Commands vm;
    private final Files files;
    private final Duration lease;
    private final Gaps gaps;
    private final LongSupplier clock;
    private final String prefix;
    private int count;
    private @Nullable Piece current;
    private boolean isOver;

    /** The pieces that have begun, as far as is known, and not ended, by their names. */
    private final Map<String, Piece> unended = new LinkedHashMap<>();

    /** The files that have not been read. */
    private final Set<String> unread = new LinkedHashSet<>();

    /**
     * With any target, by any clock.
     *
     * @param vm carries commands out
     * @param files the folder that is shared with the target
     * @param piece how long a piece is meant to be
     * @param gaps is told when nothing was recorded
     * @param clock the time in ns, as {@link System#nanoTime}
     */
    RollingJfrRecording(Commands vm, Files files, Duration piece, Gaps gaps, LongSupplier clock) {
        this.vm = vm;
        this.files = files;
        this.gaps = gaps;
        this.clock = clock;
        Duration patient = piece.multipliedBy(PATIENCE);
        lease = patient.compareTo(SHORTEST) < 0 ? SHORTEST : patient;
        prefix = files.name() + "-";
    }

    /** Carries out diagnostic commands. */
    interface Commands {
        /** Carries one out: see {@link JvmAttachClient#command}. */
        String command(String command) throws IOException;

        /** What is to be carried out if the recorder is killed: see {@link JvmAttachClient#lastCommands}. */
        void lastCommands(List<String> commands);
    }

    /** The folder that is shared with the target. */
    interface Files extends AutoCloseable {
        /** Its name, which no other has. */
        String name();

        /** A file as the target names it. */
        Path inTarget(String file);

        /** The size of a file in bytes; -1 if it does not exist. */
        long size(String file) throws IOException;

        /** Opens a file. */
        InputStream read(String file) throws IOException;

        /** Deletes a file, if it exists. */
        void delete(String file) throws IOException;

        /** Removes the folder; the message of the exception names it if that fails. */
        @Override
        void close() throws IOException;
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
    static RollingJfrRecording create(JvmAttachClient vm, Duration threshold, Duration piece, Gaps gaps)
            throws IOException {
        SharedWorkspace workspace = vm.workspace(SETTINGS, JfrSettings.configuration(threshold));
        Commands commands = new Commands() {
            @Override
            public String command(String command) throws IOException {
                return vm.command(command);
            }

            @Override
            public void lastCommands(List<String> last) {
                vm.lastCommands(last);
            }
        };
        return new RollingJfrRecording(commands, workspace, piece, gaps, System::nanoTime);
    }

    /** Begins the first piece. */
    void start() throws IOException {
        current = begin();
    }

    private Piece begin() throws IOException {
        String name = prefix + ++count;
        Piece piece = new Piece(name, clock.getAsLong());
        unended.put(name, piece);
        unread.add(file(name));
        tellLastCommands();
        vm.command("JFR.start name=%s settings=%s duration=%ds filename=%s dumponexit=true"
                .formatted(name, files.inTarget(SETTINGS), lease.toSeconds(), files.inTarget(file(name))));
        return piece;
    }

    private static String file(String name) {
        return name + ".jfr";
    }

    /** Begins the next piece, ends the last one, and returns the name of its file. Fails if the recording has been ended meanwhile. */
    synchronized String roll() throws IOException {
        if (isOver) {
            throw new IOException("the recording has ended");
        }
        Piece last = current();
        current = begin();
        return end(last);
    }

    /** Ends the recording, if it has begun, also a piece that could not be ended before. What is left is in their files. */
    synchronized void stop() throws IOException {
        isOver = true;
        IOException first = null;
        for (Piece piece : current == null ? List.<Piece>of() : List.copyOf(unended.values())) {
            try {
                end(piece);
            } catch (TargetDeadline.NoAnswerException e) {
                throw first == null ? e : first; // the target answers the next request no sooner
            } catch (IOException e) {
                first = first == null ? e : first;
            }
        }
        if (first != null) {
            throw first;
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
            unended.remove(piece.name);
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
        String answer = vm.command(STOP + piece.name);
        boolean mayNotHaveBegun = piece.begun - current().begun > 0; // the target did not answer when it was asked to
        if (!answer.contains("Stopped recording") && !mayNotHaveBegun) {
            throw new IOException("Flight Recorder does not stop: " + answer);
        }
        unended.remove(piece.name);
        tellLastCommands();
    }

    private void tellLastCommands() {
        vm.lastCommands(unended.keySet().stream().map(name -> STOP + name).toList());
    }

    private boolean isWritten(String file) throws IOException {
        return files.size(file) > 0;
    }

    /** The files that the target has written by itself, having exited. */
    synchronized List<String> leftBehind() throws IOException {
        List<String> written = new ArrayList<>();
        for (String file : unread) {
            if (isWritten(file)) {
                written.add(file);
            }
        }
        return written;
    }

    /** Whether the piece that is under way is among them: not so if the target was killed. */
    synchronized boolean hasLast() throws IOException {
        return isWritten(file(current().name));
    }

    /** Reads a file. */
    void read(String file, Reader reader) throws IOException {
        long size = files.size(file);
        if (size <= 0) {
            throw new IOException("the target has not written " + files.inTarget(file));
        }
        reader.read(size, () -> files.read(file));
        synchronized (this) {
            unread.remove(file);
        }
    }

    /** Deletes a file. At the end that is done for all of them at once. */
    void delete(String file) throws IOException {
        files.delete(file);
    }

    /** Opens a file. */
    interface Opening {
        InputStream open() throws IOException;
    }

    /** Reads a file. */
    interface Reader {
        /**
         * Reads it.
         *
         * @param size bytes; the target may have changed it since
         * @param content opens the file
         */
        void read(long size, Opening content) throws IOException;
    }

    private Piece current() {
        return Started.required(current);
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
        files.close();
    }
}
