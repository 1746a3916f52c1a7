package dev.unjank.cli.file;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;

/** Compares the content of files, decompressed if they are gzip files. */
final class FileComparison {
    private static final int CHUNK = 1 << 16;

    /** The header and trailer of a gzip file. The last four bytes are the length of the content. */
    private static final int SHORTEST_GZIP = 18;

    private FileComparison() {}

    /** The length of the content modulo 2^32, which gzip stores in its trailer. */
    static int length(Path file) throws IOException {
        if (!isGzip(file)) {
            return (int) Files.size(file);
        }
        try (SeekableByteChannel channel = Files.newByteChannel(file)) {
            ByteBuffer end = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
            channel.position(channel.size() - Integer.BYTES);
            while (end.hasRemaining() && channel.read(end) >= 0) {}
            return end.flip().remaining() < Integer.BYTES ? 0 : end.getInt();
        }
    }

    /** Whether two files have the same content. A damaged gzip file does not equal any other. */
    static boolean areSame(Path a, Path b) throws IOException {
        boolean isPacked = isGzip(a);
        if (isPacked == isGzip(b) && Files.size(a) == Files.size(b) && Files.mismatch(a, b) < 0) {
            return true;
        }
        if (!isPacked && !isGzip(b)) {
            return false;
        }
        try (InputStream one = open(a);
                InputStream other = open(b)) {
            byte[] here = new byte[CHUNK];
            byte[] there = new byte[CHUNK];
            int read;
            do {
                read = one.readNBytes(here, 0, CHUNK);
                if (read != other.readNBytes(there, 0, CHUNK) || !Arrays.equals(here, 0, read, there, 0, read)) {
                    return false;
                }
            } while (read == CHUNK);
            return true;
        } catch (IOException e) {
            return false; // the reader reports the reason
        }
    }

    /**
     * Whether the content of a file is a proper prefix of another's. A damaged gzip file is not a prefix of any other.
     */
    static boolean isBeginning(Path part, Path whole) throws IOException {
        if (isGzip(part) == isGzip(whole)) {
            long size = Files.size(part);
            if (size > 0 && size < Files.size(whole) && Files.mismatch(part, whole) == size) {
                return true; // including a truncated gzip file
            }
        }
        if (!isGzip(part) && !isGzip(whole)) {
            return false;
        }
        try (InputStream some = open(part);
                InputStream all = open(whole)) {
            byte[] here = new byte[CHUNK];
            byte[] there = new byte[CHUNK];
            int read;
            long length = 0;
            do {
                read = some.readNBytes(here, 0, CHUNK);
                length += read;
                if (all.readNBytes(there, 0, read) < read || !Arrays.equals(here, 0, read, there, 0, read)) {
                    return false;
                }
            } while (read == CHUNK);
            return length > 0 && all.read() >= 0;
        } catch (IOException e) {
            return false; // the reader reports the reason
        }
    }

    private static InputStream open(Path file) throws IOException {
        InputStream plain = new BufferedInputStream(Files.newInputStream(file), CHUNK);
        try {
            return isGzip(file) ? new GZIPInputStream(plain, CHUNK) : plain;
        } catch (IOException e) {
            plain.close();
            throw e;
        }
    }

    private static boolean isGzip(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return Files.size(file) >= SHORTEST_GZIP && in.read() == 0x1f && in.read() == 0x8b;
        }
    }
}
