package dev.unjank.record.session;

import dev.unjank.record.lifecycle.Cleanup;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.Deque;
import java.util.function.LongConsumer;

/**
 * Makes one file of the parts of a ring. Each part is deleted when it is in, so there is never much twice on the disk. Parts are read and
 * appended to through the channels that they were written with: their names may mean other files by now.
 *
 * <p>Whoever is left with parts reads {@code FILE.part*} and {@code FILE} together. What has been joined already lies under another name,
 * {@code FILE.joined}, until all of it has: so these hold nothing twice and nothing cut, at whatever moment the recorder is killed.
 */
final class PartJoiner {
    static final String SUFFIX = ".joined";

    /** A slow disk takes a few seconds for so many bytes. */
    private static final long STEP = 16 << 20;

    private final OutputFolder folder;
    private final PartFile file;
    private final Deque<PartFile> parts;
    private final LongConsumer changed;

    /**
     * Will join.
     *
     * @param file the newest part, which has the name that the whole is to have
     * @param parts the others, the oldest first; empty when they are joined, and those that are left if that fails
     * @param changed called when a name has changed or the joined file has grown, with the number of bytes that were added
     */
    PartJoiner(OutputFolder folder, PartFile file, Deque<PartFile> parts, LongConsumer changed) {
        this.folder = folder;
        this.file = file;
        this.parts = parts;
        this.changed = changed;
    }

    /**
     * Joins.
     *
     * @throws IOException if that fails; what was joined is a part again then, in place of the oldest
     */
    void run() throws IOException {
        PartFile joined = parts.element();
        String before = joined.name();
        joined.moveTo(freeName());
        parts.remove();
        changed.accept(0);
        try {
            FileChannel all = joined.channel();
            all.position(all.size());
            while (!parts.isEmpty()) {
                PartFile part = parts.element();
                take(part, all, part::delete);
                parts.remove();
            }
            take(file, all, () -> joined.replace(file));
        } catch (IOException e) {
            parts.addFirst(joined);
            throw Cleanup.after(e).then(() -> joined.moveTo(before)).failure();
        }
        joined.close();
    }

    /** FILE.joined, or with a number if there is something of that name: it is not of this recording. */
    private String freeName() throws IOException {
        String name = file.name() + SUFFIX;
        for (int i = 2; folder.attributes(name) != null; i++) {
            name = file.name() + SUFFIX + i;
        }
        return name;
    }

    /** Something that is done to files. */
    private interface Change {
        void run() throws IOException;
    }

    private void take(PartFile part, FileChannel all, Change afterwards) throws IOException {
        long before = all.size();
        try {
            append(part.channel(), all);
            afterwards.run();
        } catch (IOException e) {
            all.truncate(before);
            throw e;
        }
        changed.accept(0);
    }

    private void append(FileChannel from, FileChannel all) throws IOException {
        long size = from.size();
        for (long at = 0; at < size; ) {
            long taken = from.transferTo(at, Math.min(size - at, STEP), all);
            changed.accept(taken);
            at += taken;
        }
    }
}
