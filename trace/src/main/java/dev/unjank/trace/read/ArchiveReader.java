package dev.unjank.trace.read;

import dev.unjank.trace.model.TraceNote;
import dev.unjank.trace.model.UnusableTraceException;
import dev.unjank.trace.read.common.UnreadableRecords;
import dev.unjank.trace.read.input.BoundedUnpacker;
import dev.unjank.trace.read.input.ByteSource;
import dev.unjank.trace.read.input.PeekableSource;
import dev.unjank.trace.text.TerminalText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.jspecify.annotations.Nullable;

/** Reads the traces of a zip archive, one entry after the other. */
final class ArchiveReader {
    /** Further entries are skipped. */
    private static final int MAX_TRACES = 64;

    private static final int MAX_NAMES_SHOWN = 3;

    private final TraceMerger merge;
    private final BoundedUnpacker unpacking;
    private final UnreadableRecords omissions;
    private final TraceFileReader reader;
    private final int depth;

    /** Reads entries by the reader of the file, at a depth of nested compression. */
    ArchiveReader(
            TraceMerger merge,
            BoundedUnpacker unpacking,
            UnreadableRecords omissions,
            TraceFileReader reader,
            int depth) {
        this.merge = merge;
        this.unpacking = unpacking;
        this.omissions = omissions;
        this.reader = reader;
        this.depth = depth;
    }

    void read(String name, PeekableSource source) throws IOException {
        merge.expectSeveral();
        ZipTailStream tail = new ZipTailStream(source.stream());
        ZipInputStream zip = new ZipInputStream(tail);
        List<String> others = new ArrayList<>();
        int entries = 0;
        int traces = 0;
        boolean endReported = false;
        for (String entry; (entry = nextEntry(zip)) != null && !unpacking.exceedsLimit(); ) {
            ByteSource content = unpacking.of(() -> zip);
            if (!entry.endsWith("/") && traces < MAX_TRACES) {
                entries++;
                try {
                    reader.stream(name + "/" + entry, new PeekableSource(content), depth);
                    traces++;
                } catch (UnusableTraceException e) {
                    others.add(entry);
                }
            }
            drain(content);
            endReported |= reader.reportEnd(name + "/" + entry);
        }
        if (!endReported && !unpacking.exceedsLimit() && !tail.isComplete()) {
            omissions.count(UnreadableRecords.Kind.ARCHIVED);
            merge.addUnreadPart(TraceNote.of("unread.end", name));
        }
        if (traces == 0) {
            throw new UnusableTraceException(name + ": "
                    + (entries == 0
                            ? "the zip archive is empty, truncated or damaged; copy or pack it again"
                            : "the zip archive contains no trace, only " + listOf(others)));
        }
        if (!others.isEmpty()) {
            merge.warn(TraceNote.counted("archive", others.size(), listOf(others), name));
        }
    }

    /** The name of the next entry, null after the last and where the archive is damaged. */
    private @Nullable String nextEntry(ZipInputStream zip) {
        try {
            ZipEntry entry = zip.getNextEntry();
            return entry == null ? null : TerminalText.printable(entry.getName());
        } catch (IOException | IllegalArgumentException e) {
            omissions.count(UnreadableRecords.Kind.ARCHIVED);
            return null;
        }
    }

    /** Reads the rest of an entry, within the limit of the unpacker. */
    private static void drain(ByteSource content) throws IOException {
        byte[] buffer = new byte[1 << 14];
        int read;
        do {
            read = content.read(buffer, 0, buffer.length);
        } while (read >= 0);
    }

    private static String listOf(List<String> names) {
        List<String> shown = names.subList(0, Math.min(names.size(), MAX_NAMES_SHOWN));
        return String.join(", ", shown) + (shown.size() < names.size() ? " and others" : "");
    }
}
