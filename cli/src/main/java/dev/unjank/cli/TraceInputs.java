package dev.unjank.cli;

import dev.unjank.trace.Trace;
import dev.unjank.trace.UnusableTraceException;
import dev.unjank.trace.read.TraceReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The files that a trace is read from, all of one machine; one of them may be standard input. */
final class TraceInputs implements AutoCloseable {

    private final List<TraceInput> inputs = new ArrayList<>();

    private TraceInputs() {}

    /**
     * Makes sure there are files.
     *
     * @param given what the user named, as for {@link TraceInput#of}
     * @param standardInput read to its end if it is asked for
     * @param limit the largest input in bytes to take from it
     * @throws UserError if an input is no file that can be mapped
     */
    static TraceInputs of(List<Path> given, InputStream standardInput, long limit) throws IOException {
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

    /** Reads them. What the reader has to say, it says in terms of what the user named. */
    Trace read() throws IOException {
        try {
            return TraceReader.read(inputs.stream().map(TraceInput::file).toList());
        } catch (UnusableTraceException e) {
            UnusableTraceException told = e;
            for (TraceInput input : inputs) {
                told = input.inTheUsersTerms(told);
            }
            throw told;
        }
    }

    @Override
    public void close() throws IOException {
        for (TraceInput input : inputs) {
            input.close();
        }
    }
}
