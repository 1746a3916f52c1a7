package dev.unjank.cli.file;

import dev.unjank.cli.terminal.UserError;
import dev.unjank.trace.model.UnusableTraceException;
import dev.unjank.trace.tempfile.ProcessTempFiles;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The file that a trace is read from. The reader maps its file, which a pipe does not allow: standard input ({@code -}) is first
 * written to a temporary file, deleted on {@link #close}, at the end of the process if that is interrupted, or by a later run if it is killed.
 */
public final class TraceInput implements AutoCloseable {

    private static final Path STANDARD_INPUT = Path.of("-");

    private final Path file;
    private final boolean temporary;

    private TraceInput(Path file, boolean temporary) {
        this.file = file;
        this.temporary = temporary;
    }

    /**
     * Makes sure there is a file.
     *
     * @param given what the user named, or {@code -}
     * @param standardInput read to its end if it is asked for
     * @param limit the largest input in bytes to take from standard input, so that a stream without end does not fill the disk
     * @throws UserError if the input is no file that can be mapped
     */
    public static TraceInput of(Path given, InputStream standardInput, long limit) throws IOException {
        if (given.equals(STANDARD_INPUT)) {
            return new TraceInput(spool(standardInput, limit), true);
        }
        if (given.toString().isEmpty()) {
            throw new UserError("the name of the trace is empty; give a file, or - for standard input");
        }
        if (Files.exists(given) && !Files.isRegularFile(given) && !Files.isDirectory(given)) {
            throw new UserError(
                    given + ": not a regular file; to read a pipe, name the trace - and give it as standard input");
        }
        return new TraceInput(given, false);
    }

    /**
     * Makes sure that a file to be written is not one that is read: its contents would be gone before anybody noticed.
     *
     * @param output what is to be written; null if nothing is
     * @param inputs what is read
     * @throws UserError if they are the same file, by whatever name
     */
    public static void refuseToOverwrite(@Nullable Path output, List<Path> inputs) throws IOException {
        for (Path input : inputs) {
            if (output != null && Files.exists(output) && Files.exists(input) && Files.isSameFile(output, input)) {
                throw new UserError(output + ": is an input, and writing to it would destroy it; name another file");
            }
        }
    }

    /** Where the trace is. */
    Path file() {
        return file;
    }

    /** What a reader has to say about {@link #file()}, in terms of what the user named. */
    UnusableTraceException inTheUsersTerms(UnusableTraceException e) {
        String message = String.valueOf(e.getMessage());
        return temporary && message.startsWith(file.toString())
                ? new UnusableTraceException(
                        "standard input" + message.substring(file.toString().length()), e)
                : e;
    }

    private static Path spool(InputStream from, long limit) throws IOException {
        Path file = ProcessTempFiles.folder("stdin").resolve("stdin");
        try (OutputStream to = Files.newOutputStream(file)) {
            byte[] buffer = new byte[1 << 16];
            long total = 0;
            for (int n; (n = from.read(buffer)) >= 0; ) {
                total += n;
                if (total > limit) {
                    throw new UserError("standard input: more than " + (limit >> 20) + " MiB; save it to a file first");
                }
                to.write(buffer, 0, n);
            }
        } catch (Throwable t) {
            delete(file);
            throw t;
        }
        return file;
    }

    @Override
    public void close() throws IOException {
        if (temporary) {
            delete(file);
        }
    }

    /** With the folder made for it, which let it have a name that reads well in a report. */
    private static void delete(Path file) throws IOException {
        Files.deleteIfExists(file);
        Files.deleteIfExists(file.getParent());
    }
}
