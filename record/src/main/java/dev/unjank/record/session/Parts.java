package dev.unjank.record.session;

import dev.unjank.record.thread.Ending;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The files of a recording. What is being written is always the file that was asked for; when it is long enough, it is put aside
 * as {@code FILE.part1}, {@code FILE.part2} and so on, the oldest is deleted, and a new file begun. At the end they are joined.
 *
 * <p>What the file held before stays until the first part is begun; then it goes, and parts of it that a killed recorder has left. Of
 * two recorders the second is refused the file.
 *
 * <p>Everything that has been handed to the stream is in the file, whatever becomes of this process. If it is killed, the parts
 * are left: each is a trace, and so are all of them together.
 *
 * <p>If the disk is full, a file is cut back to what was written whole.
 */
final class Parts {
    private static final int BUFFER = 1 << 17;

    private final Path file;

    /** Those put aside, the oldest first. */
    private final Deque<Path> aside = new ArrayDeque<>();

    private int count;
    private long asideBytes;
    private @Nullable PartStream current;
    private final AtomicLong joinedBytes = new AtomicLong();

    /** The file before its first part is begun, and whether it was not there before. */
    private @Nullable FileChannel reserved;

    private final boolean isNew;

    /**
     * Opens the file for one recording, and changes nothing of what it holds.
     *
     * @throws IOException if it cannot be written, or another recorder writes it
     */
    Parts(Path file) throws IOException {
        this.file = file;
        isNew = Files.notExists(file);
        reserved = open(file, StandardOpenOption.WRITE, StandardOpenOption.CREATE);
    }

    private static FileChannel open(Path file, StandardOpenOption... options) throws IOException {
        FileChannel channel = FileChannel.open(file, options);
        if (!isAlone(channel)) {
            channel.close();
            throw new IOException(file + ": another recorder is writing it");
        }
        return channel;
    }

    /** Locks a file until it is closed; true also where a file system has no locks. */
    private static boolean isAlone(FileChannel channel) {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    /**
     * Begins the next part.
     *
     * @param keep how many are kept besides it
     * @throws IOException if that fails; the part before it is {@link #file} still
     */
    OutputStream next(int keep) throws IOException {
        FileChannel channel = reserved;
        if (channel == null) {
            putAside(keep);
            try {
                channel = open(
                        file,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING);
            } catch (IOException e) {
                throw Ending.after(e).then(this::takeBack).failure();
            }
        } else {
            deletePartsOfEarlierRecordings();
            channel.truncate(0);
            reserved = null;
        }
        PartStream next = new PartStream(channel);
        current = next;
        return next;
    }

    private void putAside(int keep) throws IOException {
        while (aside.size() >= keep) {
            Path oldest = aside.remove();
            asideBytes -= Files.size(oldest);
            Files.delete(oldest); // a full disk has room for a new one then
        }
        Path part = file.resolveSibling(file.getFileName() + ".part" + ++count);
        Files.move(file, part, StandardCopyOption.REPLACE_EXISTING);
        aside.add(part);
        asideBytes += partBytes();
        current = null;
    }

    /** The next part has come to nothing: the one before it is the last again, in its place, and there is no further one. */
    void takeBack() throws IOException {
        if (current != null) {
            current.channel.close();
            current = null;
        }
        Path last = aside.pollLast();
        if (last != null) {
            Files.move(last, file, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    private void deletePartsOfEarlierRecordings() throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        if (folder == null) {
            return;
        }
        Pattern parts = Pattern.compile(Pattern.quote(String.valueOf(file.getFileName())) + "\\.(part[0-9]+|joined)");
        try (DirectoryStream<Path> left = Files.newDirectoryStream(
                folder,
                each -> parts.matcher(String.valueOf(each.getFileName())).matches())) {
            for (Path part : left) {
                Files.deleteIfExists(part);
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
    }

    /** Leaves all as it was before, if no part has been begun. */
    void abandon() throws IOException {
        FileChannel channel = reserved;
        if (channel != null) {
            reserved = null;
            channel.close();
            if (isNew) {
                Files.deleteIfExists(file);
            }
        }
    }

    /** The file that was asked for. */
    Path file() {
        return file;
    }

    /** All that are kept, the oldest first. */
    List<Path> files() {
        List<Path> files = new ArrayList<>(aside);
        files.add(file);
        return files;
    }

    /** The size of the part that is being written. */
    long partBytes() {
        return current == null ? 0 : current.size();
    }

    /** The size of all that is kept. */
    long bytes() {
        return asideBytes + partBytes();
    }

    /** How much has been joined. Any thread. */
    long joinedBytes() {
        return joinedBytes.get();
    }

    /**
     * Makes one file of all, the oldest first.
     *
     * @throws IOException if that fails; {@link #files} are where they are then
     */
    void join() throws IOException {
        if (!aside.isEmpty()) {
            try {
                new Joining(file, aside, joinedBytes::addAndGet).run();
            } catch (IOException e) {
                throw new IOException("its parts could not be joined: " + e.getMessage(), e);
            }
        }
    }

    /** A file that ends with the last write that succeeded. What is given to it in one piece is written in one piece. */
    private static final class PartStream extends OutputStream {
        private final FileChannel channel;
        private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER);

        /** How many bytes are in the file. */
        private long whole;

        /** Nothing more is written then: it would be the rest of something. */
        private boolean failed;

        PartStream(FileChannel channel) {
            this.channel = channel;
        }

        long size() {
            return whole + buffer.position();
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            if (length > buffer.remaining()) {
                flush();
            }
            if (length > buffer.remaining()) {
                write(ByteBuffer.wrap(bytes, offset, length));
            } else {
                buffer.put(bytes, offset, length);
            }
        }

        @Override
        public void flush() throws IOException {
            write(buffer.flip());
            buffer.clear();
        }

        private void write(ByteBuffer from) throws IOException {
            if (failed) {
                throw new IOException("writing has failed before");
            }
            try {
                while (from.hasRemaining()) {
                    channel.write(from);
                }
                whole = channel.position();
            } catch (IOException e) {
                cutBack(e);
                throw e;
            }
        }

        private void cutBack(IOException reason) {
            failed = true;
            try {
                channel.truncate(whole);
            } catch (IOException e) {
                reason.addSuppressed(e);
            }
        }

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void close() throws IOException {
            try (channel) {
                flush();
            }
        }
    }
}
