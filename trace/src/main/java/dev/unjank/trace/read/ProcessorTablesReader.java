package dev.unjank.trace.read;

import dev.unjank.trace.processor.ProcessorTables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/** Reads the tables of trace processor from a file: the second pass over a trace, for SQL. */
public final class ProcessorTablesReader {
    private static final int HEAD = 4096;

    private ProcessorTablesReader() {}

    /**
     * Reads the tables of a trace.
     *
     * @param file a trace
     * @return its tables; null if its format has none
     * @throws IOException if reading fails
     */
    public static @Nullable ProcessorTables read(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        TraceFileFormat format = format(bytes);
        if (format == TraceFileFormat.GZIP) {
            try (GZIPInputStream in = new GZIPInputStream(Files.newInputStream(file))) {
                bytes = in.readAllBytes();
            }
            format = format(bytes);
        }
        return format == TraceFileFormat.PERFETTO ? ProcessorTables.perfetto(bytes) : null;
    }

    private static TraceFileFormat format(byte[] bytes) {
        return TraceFileFormat.of(Arrays.copyOf(bytes, Math.min(bytes.length, HEAD)));
    }
}
