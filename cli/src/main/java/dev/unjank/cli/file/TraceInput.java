package dev.unjank.cli.file;

import dev.unjank.cli.terminal.UserError;
import dev.unjank.record.session.TemporaryFiles;
import dev.unjank.trace.model.UnusableTraceException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The file that a trace is read from. The reader maps its file, which is impossible for a pipe, so standard input
 * ({@code -}) is first copied to a temporary file. The copy is deleted by {@link #close}, at the end of an interrupted
 * process, or by a later process.
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
     * Opens an input.
     *
     * @param given the file, or {@code -} for standard input
     * @param standardInput read to its end for {@code -}
     * @param limit the largest size of standard input in bytes, so that an endless stream does not fill the disk
     * @throws UserError if the file cannot be mapped
     */
    public static TraceInput of(Path given, InputStream standardInput, long limit) throws IOException {
        if (given.equals(STANDARD_INPUT)) {
            return new TraceInput(spool(standardInput, limit), true);
        }
        if (given.toString().isEmpty()) {
            throw new UserError("the trace's file name is empty (expected a file, or - for standard input)");
        }
        if (Files.exists(given) && !Files.isRegularFile(given) && !Files.isDirectory(given)) {
            throw new UserError(
                    given + ": not a regular file; to read a pipe, use - and redirect it to standard input");
        }
        return new TraceInput(given, false);
    }

    /**
     * Refuses an output file that is also an input, even under another name, since it would be overwritten; null for no
     * output.
     */
    public static void refuseToOverwrite(@Nullable Path output, List<Path> inputs) throws IOException {
        for (Path input : inputs) {
            if (output != null && Files.exists(output) && Files.exists(input) && Files.isSameFile(output, input)) {
                throw new UserError(output + ": is also an input and would be overwritten; choose another output file");
            }
        }
    }

    /** The file to read. */
    Path file() {
        return file;
    }

    /** Replaces the name of {@link #file()} in the reader's exception by the name that the user gave. */
    UnusableTraceException withUsersName(UnusableTraceException e) {
        String message = String.valueOf(e.getMessage());
        return temporary && message.startsWith(file.toString())
                ? new UnusableTraceException(
                        "standard input" + message.substring(file.toString().length()), e)
                : e;
    }

    private static Path spool(InputStream from, long limit) throws IOException {
        Path file = TemporaryFiles.folderUntilExit("stdin").resolve("stdin");
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

    /** Deletes the temporary file and its folder; in a folder of its own its name is readable in reports. */
    private static void delete(Path file) throws IOException {
        Files.deleteIfExists(file);
        Files.deleteIfExists(file.getParent());
    }
}
