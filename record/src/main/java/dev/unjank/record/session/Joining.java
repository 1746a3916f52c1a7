package dev.unjank.record.session;

import dev.unjank.record.thread.Ending;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Deque;
import java.util.function.LongConsumer;

/**
 * Makes one file of the parts of a ring. Each part is deleted when it is in, so there is never much twice on the disk.
 *
 * <p>Whoever is left with parts reads {@code FILE.part*} and {@code FILE} together. What has been joined already lies under another name,
 * {@code FILE.joined}, until all of it has: so these hold nothing twice and nothing cut, at whatever moment the recorder is killed.
 */
final class Joining {
    static final String SUFFIX = ".joined";

    /** A slow disk takes a few seconds for so many bytes. */
    private static final long STEP = 16 << 20;

    private final Path file;
    private final Path joined;
    private final Deque<Path> parts;
    private final LongConsumer changed;

    /**
     * Will join.
     *
     * @param file the newest part, and where all are to be
     * @param parts the others, the oldest first; empty when they are joined, and those that are left if that fails
     * @param changed told whenever another file is there, has gone or has grown, and then by how many bytes
     */
    Joining(Path file, Deque<Path> parts, LongConsumer changed) {
        this.file = file;
        this.parts = parts;
        this.changed = changed;
        joined = file.resolveSibling(file.getFileName() + SUFFIX);
    }

    /**
     * Joins.
     *
     * @throws IOException if that fails; what was joined is a part again then, in place of the oldest
     */
    void run() throws IOException {
        Path oldest = parts.remove();
        Files.move(oldest, joined, StandardCopyOption.REPLACE_EXISTING);
        changed.accept(0);
        try (FileChannel all = FileChannel.open(joined, StandardOpenOption.WRITE, StandardOpenOption.APPEND)) {
            while (!parts.isEmpty()) {
                Path next = parts.element();
                take(next, all, () -> Files.delete(next));
                parts.remove();
            }
            take(file, all, () -> Files.move(joined, file, StandardCopyOption.REPLACE_EXISTING));
        } catch (IOException e) {
            parts.addFirst(oldest);
            throw Ending.after(e).then(() -> Files.move(joined, oldest)).failure();
        }
    }

    /** Something that is done to files. */
    private interface Change {
        void run() throws IOException;
    }

    private void take(Path part, FileChannel all, Change afterwards) throws IOException {
        long before = all.size();
        try {
            append(part, all);
            afterwards.run();
        } catch (IOException e) {
            all.truncate(before);
            throw e;
        }
        changed.accept(0);
    }

    private void append(Path part, FileChannel all) throws IOException {
        try (FileChannel from = FileChannel.open(part, StandardOpenOption.READ)) {
            long size = from.size();
            for (long at = 0; at < size; ) {
                long taken = from.transferTo(at, Math.min(size - at, STEP), all);
                changed.accept(taken);
                at += taken;
            }
        }
    }
}
