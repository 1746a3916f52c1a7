package dev.unjank.cli.file;

import dev.unjank.cli.terminal.UserError;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.model.UnusableTraceException;
import dev.unjank.trace.read.TraceReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The files that a trace is read from, all from one machine. One of them may be standard input. */
public final class TraceInputs implements AutoCloseable {

    private final List<TraceInput> inputs = new ArrayList<>();

    private TraceInputs() {}

    /**
     * Opens the inputs.
     *
     * @param given the files, as for {@link TraceInput#of}
     * @param standardInput read to its end for {@code -}
     * @param limit the largest size of standard input in bytes
     * @throws UserError if a file cannot be mapped, or is given twice
     */
    public static TraceInputs of(List<Path> given, InputStream standardInput, long limit) throws IOException {
        refuseTwins(given);
        TraceInputs opened = new TraceInputs();
        try {
            for (Path file : given) {
                opened.inputs.add(TraceInput.of(file, standardInput, limit));
            }
            return opened;
        } catch (Throwable e) {
            opened.close();
            throw e;
        }
    }

    /**
     * Refuses two recordings of the same events, which would be counted twice, even if one is compressed, renamed or
     * truncated.
     */
    private static void refuseTwins(List<Path> files) throws IOException {
        for (int i = 0; i < files.size(); i++) {
            for (int j = 0; j < i; j++) {
                Path one = files.get(j);
                Path other = files.get(i);
                if (areTwins(one, other)) {
                    throw new UserError(one + " and " + other + ": the same trace twice");
                }
                refuseBeginning(one, other);
                refuseBeginning(other, one);
            }
        }
    }

    private static void refuseBeginning(Path part, Path whole) throws IOException {
        if (Files.isRegularFile(part) && Files.isRegularFile(whole) && FileComparison.isBeginning(part, whole)) {
            throw new UserError(part + ": truncated copy of " + whole + "; use only " + whole);
        }
    }

    private static boolean areTwins(Path a, Path b) throws IOException {
        return a.equals(b)
                || (Files.isRegularFile(a)
                        && Files.isRegularFile(b)
                        && (Files.isSameFile(a, b)
                                || (FileComparison.length(a) == FileComparison.length(b)
                                        && FileComparison.areSame(a, b))));
    }

    /** Reads the files. Exceptions contain the file names that the user gave. */
    public Trace read() throws IOException {
        return read(TraceReader::read);
    }

    /** Reads the files as {@link #read} does; a single empty file is a trace without events. */
    public Trace readOrEmpty() throws IOException {
        return read(TraceReader::readOrEmpty);
    }

    @FunctionalInterface
    private interface Reader {
        Trace read(List<Path> files) throws IOException;
    }

    private Trace read(Reader reader) throws IOException {
        try {
            return reader.read(inputs.stream().map(TraceInput::file).toList());
        } catch (UnusableTraceException e) {
            UnusableTraceException named = e;
            for (TraceInput input : inputs) {
                named = input.withUsersName(named);
            }
            throw named;
        }
    }

    @Override
    public void close() throws IOException {
        for (TraceInput input : inputs) {
            input.close();
        }
    }
}
