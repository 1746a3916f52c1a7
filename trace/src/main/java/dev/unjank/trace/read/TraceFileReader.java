package dev.unjank.trace.read;

import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.model.UnusableTraceException;
import dev.unjank.trace.read.common.ClockOffsets;
import dev.unjank.trace.read.common.SkippedRecords;
import dev.unjank.trace.read.common.UnreadableRecords;
import dev.unjank.trace.read.input.BoundedUnpacker;
import dev.unjank.trace.read.input.MappedBytes;
import dev.unjank.trace.read.input.PeekableSource;
import dev.unjank.trace.read.input.UnpackedBytes;
import dev.unjank.trace.read.jfr.JfrReader;
import dev.unjank.trace.read.perfetto.PacketStream;
import dev.unjank.trace.read.perfetto.PerfettoReader;
import dev.unjank.trace.read.perfetto.ftrace.ParallelBundleImport;
import dev.unjank.trace.read.systrace.AtraceOutput;
import dev.unjank.trace.read.systrace.SystraceHtml;
import dev.unjank.trace.read.systrace.SystraceReader;
import dev.unjank.trace.text.EnglishCounts;
import dev.unjank.trace.text.TerminalText;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.jspecify.annotations.Nullable;

/**
 * The import of one file: finds out what it is, takes it out of whatever it is packed in, and gives each trace within to the
 * importer of its format.
 */
public final class TraceFileReader {
    /** What is packed more often, nobody packed for us. */
    private static final int MAX_DEPTH = 3;

    /** An archive with more traces is none of ours. */
    private static final int MAX_TRACES = 64;

    private static final int MAX_NAMES_TOLD = 3;
    private static final int BUFFER = 1 << 18;

    private final TraceMerger merge;
    private final ParallelBundleImport.Sharing sharing;
    private final UnreadableRecords omissions = new UnreadableRecords();
    private final BoundedUnpacker unpacking;

    /**
     * Begins a file.
     *
     * @param merge gets the traces
     * @param unpackable how many bytes may come out of what is packed in the file
     * @param sharing how to share the work between threads
     */
    TraceFileReader(TraceMerger merge, long unpackable, ParallelBundleImport.Sharing sharing) {
        this.merge = merge;
        this.sharing = sharing;
        unpacking = new BoundedUnpacker(unpackable, omissions);
    }

    /**
     * Reads all traces of a file.
     *
     * @param name what to call it
     * @param bytes the file
     * @throws UnusableTraceException if there is no trace in it
     */
    void read(String name, MemorySegment bytes) throws IOException {
        MappedBytes source = new MappedBytes(bytes);
        switch (TraceFileFormat.of(source.head())) {
            case PERFETTO -> {
                TraceBuilder builder = merge.begin();
                merge.end(name, builder, new PerfettoReader(name, builder, unpacking, sharing).read(bytes));
            }
            case JFR -> recording(name, bytes);
            default -> stream(name, new PeekableSource(source), 0);
        }
        if (unpacking.isTooMuch()) {
            merge.warn(
                    name + ": far more comes out of the compressed data than any trace holds; the rest was left out");
            merge.unread("the rest of " + name);
        }
        tellEnd(name);
        omissions.tell(merge::warn);
    }

    /** Says how packed data ended, once: in an archive of the file in it that ended so. */
    private boolean tellEnd(String name) {
        BoundedUnpacker.End end = unpacking.takeEnd();
        switch (end) {
            case CUT -> merge.unread("what followed the end of " + name);
            case DAMAGED -> merge.unread("what follows the damage in " + name);
            case CLEAN -> {}
        }
        return end != BoundedUnpacker.End.CLEAN;
    }

    private void stream(String name, PeekableSource source, int depth) throws IOException {
        byte[] head = source.head();
        TraceFileFormat kind = TraceFileFormat.of(head);
        if (head.length == 0) {
            throw new UnusableTraceException(name
                    + (unpacking.end() != BoundedUnpacker.End.CLEAN
                            ? ": is cut or damaged packed data; copy or record it again"
                            : ": is empty"));
        } else if ((kind == TraceFileFormat.GZIP || kind == TraceFileFormat.ZIP) && depth == MAX_DEPTH) {
            throw new UnusableTraceException(name + ": " + kind.complaint());
        }
        switch (kind) {
            case GZIP ->
                stream(
                        name,
                        new PeekableSource(unpacking.of(() -> new GZIPInputStream(source.stream(), BUFFER))),
                        depth + 1);
            case ZIP -> archive(name, source, depth);
            case PERFETTO -> {
                TraceBuilder builder = merge.begin();
                merge.end(name, builder, new PerfettoReader(name, builder, unpacking, sharing).read(source));
            }
            case JFR -> {
                try (Arena arena = Arena.ofConfined()) {
                    recording(name, new UnpackedBytes(source).readAll(arena));
                }
            }
            case SYSTRACE -> systrace(name, kind, new TextSources(source));
            case CTRACE -> systrace(name, kind, new TextSources(AtraceOutput.of(head, source, unpacking)));
            case HTML -> systrace(name, kind, new SystraceHtml(source, unpacking));
            default -> throw new UnusableTraceException(name + ": " + kind.complaint());
        }
    }

    private void recording(String name, MemorySegment bytes) throws IOException {
        TraceBuilder builder = merge.begin();
        if (!JfrReader.read(bytes, builder)) {
            throw new UnusableTraceException(name + ": " + TraceFileFormat.JFR.complaint());
        }
        ClockOffsets ties = new ClockOffsets();
        ties.tie(ClockOffsets.REALTIME, 0, 0);
        merge.end(name, builder, ties);
    }

    /** The texts of one trace, one after the other. */
    public interface Texts {
        /** The next, null behind the last. */
        PacketStream.@Nullable Source next() throws IOException;

        /** Whether what they stand in ends too early. */
        boolean isCut();
    }

    /** A single text. */
    private static final class TextSources implements Texts {
        private PacketStream.@Nullable Source source;

        TextSources(PacketStream.Source source) {
            this.source = source;
        }

        @Override
        public PacketStream.@Nullable Source next() {
            PacketStream.Source next = source;
            source = null;
            return next;
        }

        @Override
        public boolean isCut() {
            return false;
        }
    }

    private void systrace(String name, TraceFileFormat kind, Texts texts) throws IOException {
        TraceBuilder builder = merge.begin();
        SkippedRecords skipped = new SkippedRecords();
        SystraceReader systrace = new SystraceReader(builder, skipped);
        for (PacketStream.Source text; (text = texts.next()) != null; ) {
            systrace.read(text);
        }
        if (systrace.events() == 0) {
            throw new UnusableTraceException(name + ": " + kind.complaint());
        }
        if (systrace.lost() > 0) {
            builder.warn("the kernel's trace buffer overflowed and " + systrace.lost()
                    + " events were lost; record with a larger buffer");
        }
        if (texts.isCut() || systrace.isCut()) {
            builder.warn((texts.isCut() ? "the page ends before its closing tag" : "the text ends within a line")
                    + "; what followed is missing from the analysis");
            builder.unread("what followed the end of " + name);
        }
        if (systrace.longLines() > 0) {
            builder.warn(EnglishCounts.of(
                            systrace.longLines(), "line of more than 1 MiB was", "lines of more than 1 MiB were")
                    + " cut there; the first is line " + systrace.firstLong() + " of the text");
        }
        builder.skipped(skipped.packets(), skipped.ftraceEvents());
        skipped.omissions().tell(builder::warn);
        merge.end(name, builder, systrace.ties());
    }

    private void archive(String name, PeekableSource source, int depth) throws IOException {
        merge.severalToCome();
        ZipTailStream tail = new ZipTailStream(source.stream());
        ZipInputStream zip = new ZipInputStream(tail);
        List<String> others = new ArrayList<>();
        int entries = 0;
        int traces = 0;
        boolean toldEnd = false;
        for (String entry; (entry = nextEntry(zip)) != null && !unpacking.isTooMuch(); ) {
            PacketStream.Source content = unpacking.of(() -> zip);
            if (!entry.endsWith("/") && traces < MAX_TRACES) {
                entries++;
                try {
                    stream(name + "/" + entry, new PeekableSource(content), depth + 1);
                    traces++;
                } catch (UnusableTraceException e) {
                    others.add(entry);
                }
            }
            drain(content);
            toldEnd |= tellEnd(name + "/" + entry);
        }
        if (!toldEnd && !unpacking.isTooMuch() && !tail.endsAsArchivesDo()) {
            omissions.note(UnreadableRecords.What.ARCHIVED);
            merge.unread("what followed the end of " + name);
        }
        if (traces == 0) {
            throw new UnusableTraceException(name + ": "
                    + (entries == 0
                            ? "is an empty, cut or damaged zip archive; copy or pack it again"
                            : "is a zip archive without a trace: it holds " + some(others)));
        }
        if (!others.isEmpty()) {
            merge.warn(name + ": " + (others.size() == 1 ? "one file" : others.size() + " files")
                    + " of the archive can not be read as a trace: " + some(others));
        }
    }

    /** The name of the next entry, null behind the last and where the archive is damaged. */
    private @Nullable String nextEntry(ZipInputStream zip) {
        try {
            ZipEntry entry = zip.getNextEntry();
            return entry == null ? null : TerminalText.printable(entry.getName());
        } catch (IOException | IllegalArgumentException e) {
            omissions.note(UnreadableRecords.What.ARCHIVED);
            return null;
        }
    }

    /** Takes what nobody read of an entry, but no more than may be unpacked. */
    private static void drain(PacketStream.Source content) throws IOException {
        byte[] buffer = new byte[1 << 14];
        int read;
        do {
            read = content.read(buffer, 0, buffer.length);
        } while (read >= 0);
    }

    private static String some(List<String> names) {
        List<String> told = names.subList(0, Math.min(names.size(), MAX_NAMES_TOLD));
        return String.join(", ", told) + (told.size() < names.size() ? " and others" : "");
    }
}
