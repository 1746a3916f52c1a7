package dev.unjank.record.jvm;

import dev.unjank.record.helper.UserFixableException;
import dev.unjank.trace.text.TerminalText;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A series of Flight Recorder recordings in the target, called pieces, each written to a file. The next piece is
 * started before one is stopped, so nothing is missed between them; chunks that are in two files are identified by
 * their start ticks ({@link FlightRecorderSource}).
 *
 * <p>Each piece has a maximum duration: when the recorder was killed, the target stops recording soon after. A recorder
 * that was only suspended for that time detects the gap. A target that exits in an orderly way writes the current
 * piece.
 *
 * <p>One thread rolls and reads; another may {@link #stop} the recording meanwhile.
 */
final class RollingJfrRecording implements AutoCloseable {
    /** The ratio of a piece's maximum duration to its intended one. */
    private static final int LEASE_FACTOR = 4;

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

    /** The pieces that may have started and have not been stopped, by their names. */
    private final Map<String, Piece> unended = new LinkedHashMap<>();

    /** The names of pieces that the target has been asked to stop without an answer. */
    private final Set<String> unanswered = new HashSet<>();

    /** The files that have not been read. */
    private final Set<String> unread = new LinkedHashSet<>();

    /**
     * Creates a recording with any target and clock.
     *
     * @param files the folder that is shared with the target
     * @param piece the intended duration of a piece
     * @param clock the time in ns, as {@link System#nanoTime}
     */
    RollingJfrRecording(Commands vm, Files files, Duration piece, Gaps gaps, LongSupplier clock) {
        this.vm = vm;
        this.files = files;
        this.gaps = gaps;
        this.clock = clock;
        Duration patient = piece.multipliedBy(LEASE_FACTOR);
        lease = patient.compareTo(SHORTEST) < 0 ? SHORTEST : patient;
        prefix = files.name() + "-";
    }

    /** Executes diagnostic commands. */
    interface Commands {
        /** Executes one: see {@link JvmAttachClient#command}. */
        String command(String command) throws IOException;

        /** Sets the commands that are executed if the recorder is killed: see {@link JvmAttachClient#lastCommands}. */
        void lastCommands(List<String> commands);
    }

    /** The folder that is shared with the target. */
    interface Files extends AutoCloseable {
        /** Its unique name. */
        String name();

        Path inTarget(String file);

        /** The size of a file in bytes; -1 if it does not exist. */
        long size(String file) throws IOException;

        /** Opens a file. */
        InputStream read(String file) throws IOException;

        /** Deletes a file, if it exists. */
        void delete(String file) throws IOException;

        /** Removes the folder. If that fails, the exception's message names the folder. */
        @Override
        void close() throws IOException;
    }

    /** Receives the times without a recording. */
    interface Gaps {
        /** A piece ended before the next one started; the gap lies within these times. */
        void missed(long fromNs, long untilNs);
    }

    private record Piece(String name, long begun) {}

    /**
     * Creates a recording without starting it.
     *
     * @param settings the content of the configuration file
     * @param piece the intended duration of a piece
     */
    static RollingJfrRecording create(JvmAttachClient vm, byte[] settings, Duration piece, Gaps gaps)
            throws IOException {
        SharedWorkspace workspace = vm.workspace(SETTINGS, settings);
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

    /** Starts the first piece. */
    void start() throws IOException {
        current = begin();
    }

    private Piece begin() throws IOException {
        String name = prefix + ++count;
        Piece piece = new Piece(name, clock.getAsLong());
        unended.put(name, piece);
        unread.add(file(name));
        updateLastCommands();
        vm.command("JFR.start name=%s settings=%s duration=%ds filename=%s dumponexit=true"
                .formatted(name, files.inTarget(SETTINGS), lease.toSeconds(), files.inTarget(file(name))));
        return piece;
    }

    private static String file(String name) {
        return name + ".jfr";
    }

    /**
     * Starts the next piece, stops the current one, and returns the name of its file. Fails if the recording has been
     * stopped.
     */
    synchronized String roll() throws IOException {
        if (isOver) {
            throw new IOException("the recording has ended");
        }
        Piece last = current();
        current = begin();
        return end(last);
    }

    /**
     * Stops the recording if it has started, including pieces that could not be stopped before. Their files contain the
     * remaining events.
     */
    synchronized void stop() throws IOException {
        isOver = true;
        IOException first = null;
        for (Piece piece : current == null ? List.<Piece>of() : List.copyOf(unended.values())) {
            try {
                end(piece);
            } catch (TargetDeadline.NoAnswerException e) {
                throw first == null ? e : first; // the target will not answer the next request either
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
        long now = clock.getAsLong(); // if there is a next piece, it has just started
        try {
            stop(piece);
        } catch (TargetDeadline.NoAnswerException | UserFixableException e) {
            unanswered.add(piece.name); // a busy target stops the piece and answers too late: its file has no gap
            if (isOver || !isWritten(file)) {
                throw e;
            }
            // The target has written the file, so the recording goes on. The end repeats the request.
        } catch (IOException e) {
            if (!isWritten(file)) {
                throw e;
            }
            unended.remove(piece.name);
            long ends = piece.begun + lease.toNanos();
            if (ends - now <= 0) { // by its duration, as when the recorder was suspended for a while
                gaps.missed(ends, now);
            } else if (!unanswered.contains(piece.name)) { // by another tool, at an unknown time
                gaps.missed(piece.begun, now);
            }
        }
        return file;
    }

    /** Stops a piece. A failure is reported in the output of a successful command. */
    private void stop(Piece piece) throws IOException {
        String answer = vm.command(STOP + piece.name);
        boolean mayNotHaveBegun = piece.begun - current().begun > 0; // the target did not answer its start
        if (!answer.contains("Stopped recording") && !mayNotHaveBegun) {
            throw new IOException(
                    "the Flight Recorder recording in the target could not be stopped: " + TerminalText.start(answer));
        }
        unended.remove(piece.name);
        updateLastCommands();
    }

    private void updateLastCommands() {
        vm.lastCommands(unended.keySet().stream().map(name -> STOP + name).toList());
    }

    private boolean isWritten(String file) throws IOException {
        return files.size(file) > 0;
    }

    /** The unread files, which the target has written at its exit. */
    synchronized List<String> leftBehind() throws IOException {
        List<String> written = new ArrayList<>();
        for (String file : unread) {
            if (isWritten(file)) {
                written.add(file);
            }
        }
        return written;
    }

    /** Whether the current piece has been written: not if the target was killed. */
    synchronized boolean hasLast() throws IOException {
        return isWritten(file(current().name));
    }

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

    /** Deletes a file. {@link #close} deletes all of them at once. */
    void delete(String file) throws IOException {
        files.delete(file);
    }

    /** Opens a file. */
    interface Opening {
        InputStream open() throws IOException;
    }

    /** Reads a file. */
    interface Reader {
        /** Reads it. The target may have changed its size (bytes) since. */
        void read(long size, Opening content) throws IOException;
    }

    private Piece current() {
        return Objects.requireNonNull(current);
    }

    /** The unique prefix of the names of all pieces. */
    String prefix() {
        return prefix;
    }

    /** The maximum duration of a piece. */
    Duration lease() {
        return lease;
    }

    /** Deletes the remaining files. */
    @Override
    public void close() throws IOException {
        files.close();
    }
}
