package dev.unjank.trace.read;

import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.model.TraceNote;
import dev.unjank.trace.model.UnusableTraceException;
import dev.unjank.trace.read.common.ClockOffsets;
import dev.unjank.trace.read.common.Parallelism;
import dev.unjank.trace.read.common.UnreadableRecords;
import dev.unjank.trace.read.input.BoundedUnpacker;
import dev.unjank.trace.read.input.MappedBytes;
import dev.unjank.trace.read.input.PeekableSource;
import dev.unjank.trace.read.input.UnpackedBytes;
import dev.unjank.trace.read.jfr.JfrReader;
import dev.unjank.trace.read.perfetto.PerfettoReader;
import dev.unjank.trace.read.systrace.AtraceOutput;
import dev.unjank.trace.read.systrace.SystraceHtml;
import dev.unjank.trace.read.systrace.SystraceReader;
import dev.unjank.trace.read.systrace.SystraceSections;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.zip.GZIPInputStream;

/** Reads the traces of one file: detects the format, unpacks compressed data and calls the reader of the format. */
final class TraceFileReader {
    /** No tool compresses a trace more often. */
    private static final int MAX_DEPTH = 3;

    private static final int BUFFER = 1 << 18;

    private final TraceMerger merge;
    private final Parallelism parallelism;
    private final UnreadableRecords omissions = new UnreadableRecords();
    private final BoundedUnpacker unpacking;

    /**
     * Creates a reader.
     *
     * @param unpackable the maximum size of the unpacked data, in bytes
     */
    TraceFileReader(TraceMerger merge, long unpackable, Parallelism parallelism) {
        this.merge = merge;
        this.parallelism = parallelism;
        unpacking = new BoundedUnpacker(unpackable, omissions);
    }

    /**
     * Reads all traces of a file.
     *
     * @param bytes the file
     */
    void read(String name, MemorySegment bytes) throws IOException {
        MappedBytes source = new MappedBytes(bytes);
        switch (TraceFileFormat.of(source.head())) {
            case PERFETTO -> {
                TraceBuilder builder = merge.begin();
                merge.end(name, builder, new PerfettoReader(name, builder, unpacking, parallelism).read(bytes));
            }
            case JFR -> recording(name, bytes);
            default -> stream(name, new PeekableSource(source), 0);
        }
        if (unpacking.exceedsLimit()) {
            merge.warn(TraceNote.of("limit", name));
            merge.addUnreadPart(TraceNote.of("unread.rest", name));
        }
        reportEnd(name);
        omissions.forEachWarning(merge::warn);
    }

    /**
     * Reports how compressed data ended, once: for the entry of an archive that it affects. Returns true if it did not
     * end cleanly.
     */
    boolean reportEnd(String name) {
        BoundedUnpacker.End end = unpacking.pollEnd();
        switch (end) {
            case CUT -> merge.addUnreadPart(TraceNote.of("unread.end", name));
            case DAMAGED -> merge.addUnreadPart(TraceNote.of("unread.afterDamage", name));
            case CLEAN -> {}
        }
        return end != BoundedUnpacker.End.CLEAN;
    }

    void stream(String name, PeekableSource source, int depth) throws IOException {
        byte[] head = source.head();
        TraceFileFormat kind = TraceFileFormat.of(head);
        if (head.length == 0) {
            throw new UnusableTraceException(name
                    + (unpacking.end() != BoundedUnpacker.End.CLEAN
                            ? ": truncated or damaged compressed data; copy or record it again"
                            : ": empty file"));
        } else if ((kind == TraceFileFormat.GZIP || kind == TraceFileFormat.ZIP) && depth == MAX_DEPTH) {
            throw new UnusableTraceException(name + ": " + kind.errorMessage());
        }
        switch (kind) {
            case GZIP ->
                stream(
                        name,
                        new PeekableSource(unpacking.of(() -> new GZIPInputStream(source.stream(), BUFFER))),
                        depth + 1);
            case ZIP -> new ArchiveReader(merge, unpacking, omissions, this, depth + 1).read(name, source);
            case PERFETTO -> {
                TraceBuilder builder = merge.begin();
                merge.end(name, builder, new PerfettoReader(name, builder, unpacking, parallelism).read(source));
            }
            case JFR -> {
                try (Arena arena = Arena.ofConfined()) {
                    recording(name, new UnpackedBytes(source).readAll(arena));
                }
            }
            case SYSTRACE -> systrace(name, kind, SystraceSections.of(source));
            case CTRACE -> systrace(name, kind, SystraceSections.of(AtraceOutput.of(head, source, unpacking)));
            case HTML -> systrace(name, kind, new SystraceHtml(source, unpacking));
            default -> {
                TraceFileFormat other = kind.orChromeJson(head, source.stream());
                throw new UnusableTraceException(name + ": " + other.errorMessage());
            }
        }
    }

    private void recording(String name, MemorySegment bytes) throws IOException {
        TraceBuilder builder = merge.begin();
        if (!JfrReader.read(bytes, builder)) {
            String reason = JfrReader.reasonForRefusal(bytes);
            throw new UnusableTraceException(
                    name + ": " + (reason == null ? TraceFileFormat.JFR.errorMessage() : reason));
        }
        ClockOffsets ties = new ClockOffsets();
        ties.add(ClockOffsets.REALTIME, 0, 0);
        merge.end(name, builder, ties);
    }

    private void systrace(String name, TraceFileFormat kind, SystraceSections sections) throws IOException {
        TraceBuilder builder = merge.begin();
        SystraceReader systrace = new SystraceReader(name, builder);
        if (!systrace.read(sections)) {
            throw new UnusableTraceException(name + ": " + kind.errorMessage());
        }
        merge.end(name, builder, systrace.offsets());
    }
}
