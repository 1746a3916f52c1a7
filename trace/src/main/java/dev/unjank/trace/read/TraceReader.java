package dev.unjank.trace.read;

import dev.unjank.trace.Trace;
import dev.unjank.trace.TraceBuilder;
import dev.unjank.trace.UnusableTraceException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads trace files. */
public final class TraceReader {
    private TraceReader() {}

    /**
     * Reads a trace.
     *
     * @param file a Perfetto trace, plain or gzipped
     * @return the trace; its warnings say what could not be read
     * @throws UnusableTraceException if the file holds no trace, with a message of one line for people
     * @throws IOException if the file cannot be read
     */
    public static Trace read(Path file) throws IOException, UnusableTraceException {
        if (!Files.isRegularFile(file)) {
            throw new UnusableTraceException(file + ": no such file");
        }
        TraceBuilder builder = new TraceBuilder(String.valueOf(file.getFileName()));
        builder.sizeBytes(Files.size(file));
        return builder.build();
    }
}
