package dev.unjank.record.session;

import dev.unjank.record.lifecycle.Cleanup;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.Deque;
import java.util.function.LongConsumer;

/**
 * Joins the parts of a ring to one file. Each part is deleted when it has been appended, which limits the additional
 * disk space. Parts are accessed through the channels that they were written with, since their names may lead to other
 * files by now.
 *
 * <p>Until all parts are joined, the joined file is {@code FILE.joined}. So {@code FILE.part*} and {@code FILE}
 * together contain nothing twice and no partial packet, whenever the recorder is killed.
 */
final class PartJoiner {
    static final String SUFFIX = ".joined";

    /** The size of a step of the progress: a few seconds on a slow disk. */
    private static final long STEP = 16 << 20;

    private final OutputFolder folder;
    private final PartFile file;
    private final Deque<PartFile> parts;
    private final LongConsumer changed;

    /**
     * Creates a joiner.
     *
     * @param file the newest part, whose name the joined file gets
     * @param parts the others, the oldest first; joined ones are removed
     * @param changed called after each rename or append, with the number of bytes added
     */
    PartJoiner(OutputFolder folder, PartFile file, Deque<PartFile> parts, LongConsumer changed) {
        this.folder = folder;
        this.file = file;
        this.parts = parts;
        this.changed = changed;
    }

    /** Joins the parts. If that fails, the joined file is a part in place of the oldest. */
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

    /** {@code FILE.joined}, with a number if a file of another recording has this name. */
    private String freeName() throws IOException {
        String name = file.name() + SUFFIX;
        for (int i = 2; folder.attributes(name) != null; i++) {
            name = file.name() + SUFFIX + i;
        }
        return name;
    }

    /** An operation on files. */
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
