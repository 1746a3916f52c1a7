package dev.unjank.trace.read;

import dev.unjank.trace.processor.ProcessorTables;
import dev.unjank.trace.read.common.UnreadableRecords;
import dev.unjank.trace.read.input.BoundedUnpacker;
import dev.unjank.trace.read.input.ByteSource;
import dev.unjank.trace.read.input.MappedBytes;
import dev.unjank.trace.read.input.PeekableSource;
import dev.unjank.trace.read.systrace.AtraceOutput;
import dev.unjank.trace.read.systrace.SystraceHtml;
import dev.unjank.trace.read.systrace.SystraceSections;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;

/** Reads the tables of trace processor from a file: the second pass over a trace, for SQL. */
public final class ProcessorTablesReader {
    private static final int HEAD = 4096;

    private ProcessorTablesReader() {}

    /**
     * Whether a file's format has these tables.
     *
     * @param file a trace
     * @return true for Perfetto and systrace, also compressed
     * @throws IOException if reading fails
     */
    public static boolean isSupported(Path file) throws IOException {
        byte[] head;
        try (InputStream in = Files.newInputStream(file)) {
            head = in.readNBytes(HEAD);
        }
        if (TraceFileFormat.of(head) == TraceFileFormat.GZIP) {
            try (GZIPInputStream in = new GZIPInputStream(Files.newInputStream(file))) {
                head = in.readNBytes(HEAD);
            }
        }
        return switch (TraceFileFormat.of(head)) {
            case PERFETTO, SYSTRACE, CTRACE, HTML -> true;
            default -> false;
        };
    }

    /**
     * Reads the tables of a trace.
     *
     * @param file a trace
     * @return its tables
     * @throws IOException if reading fails, or for a format without these tables
     */
    @SuppressWarnings("exports") // for query, to which the package is exported
    public static ProcessorTables read(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        long size = bytes.length;
        if (format(bytes) == TraceFileFormat.GZIP) {
            try (GZIPInputStream in = new GZIPInputStream(Files.newInputStream(file))) {
                bytes = in.readAllBytes();
            }
        }
        return switch (format(bytes)) {
            case PERFETTO -> ProcessorTables.perfetto(bytes);
            case SYSTRACE -> ProcessorTables.systrace(new String(bytes, StandardCharsets.UTF_8), size);
            case CTRACE, HTML -> ProcessorTables.systrace(text(bytes), size);
            default -> throw new IOException(file + ": neither a Perfetto nor a systrace file");
        };
    }

    /** The sections of a page or of compressed text. */
    private static String text(byte[] bytes) throws IOException {
        BoundedUnpacker unpacking = new BoundedUnpacker(Integer.MAX_VALUE, new UnreadableRecords());
        PeekableSource source = new PeekableSource(new MappedBytes(MemorySegment.ofArray(bytes)));
        byte[] head = source.head();
        SystraceSections sections = TraceFileFormat.of(head) == TraceFileFormat.HTML
                ? new SystraceHtml(source, unpacking)
                : SystraceSections.of(AtraceOutput.of(head, source, unpacking));
        StringBuilder text = new StringBuilder();
        byte[] part = new byte[1 << 16];
        for (ByteSource section = sections.next(); section != null; section = sections.next()) {
            ByteArrayOutputStream lines = new ByteArrayOutputStream();
            for (int read = section.read(part, 0, part.length); read >= 0; read = section.read(part, 0, part.length)) {
                lines.write(part, 0, read);
            }
            text.append(lines.toString(StandardCharsets.UTF_8)).append('\n');
        }
        return text.toString();
    }

    private static TraceFileFormat format(byte[] bytes) {
        return TraceFileFormat.of(Arrays.copyOf(bytes, Math.min(bytes.length, HEAD)));
    }
}
