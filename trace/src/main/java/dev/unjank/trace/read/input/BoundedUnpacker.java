package dev.unjank.trace.read.input;

import dev.unjank.trace.read.common.UnreadableRecords;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * Unpacks the compressed data of one file up to a limit, so that a small file cannot unpack to an endless one. The
 * data ends where it is damaged or the limit is reached.
 */
public final class BoundedUnpacker {
    /** Opens an unpacking stream, which may fail on the first bytes. */
    public interface Opening {
        InputStream open() throws IOException;
    }

    /** The end of a file's compressed data; the worst wins. */
    public enum End {
        CLEAN,
        CUT,
        DAMAGED
    }

    private final UnreadableRecords omissions;
    private long left;
    private boolean exceedsLimit;
    private End end = End.CLEAN;

    public BoundedUnpacker(long most, UnreadableRecords omissions) {
        this.left = most;
        this.omissions = omissions;
    }

    /** Whether the limit was reached. */
    public boolean exceedsLimit() {
        return exceedsLimit;
    }

    /** The end of compressed data since the last {@link #pollEnd}. */
    public End end() {
        return end;
    }

    /** Returns {@link #end} and resets it for the next part. */
    public End pollEnd() {
        End taken = end;
        end = End.CLEAN;
        return taken;
    }

    /** Unpacked bytes, counted towards the limit. */
    public ByteSource of(Opening opening) {
        return new Counted(opening, true);
    }

    /** As {@link #of}, for a small part of a file: damage does not end the file. */
    public ByteSource ofPart(Opening opening) {
        return new Counted(opening, false);
    }

    private final class Counted implements ByteSource {
        private final Opening opening;
        private final boolean isWhole;
        private @Nullable InputStream unpacked;
        private boolean ended;

        Counted(Opening opening, boolean isWhole) {
            this.opening = opening;
            this.isWhole = isWhole;
        }

        @Override
        public int read(byte[] into, int from, int length) {
            if (ended) {
                return -1;
            } else if (left <= 0) {
                exceedsLimit = true;
                ended = true;
                return -1;
            }
            try {
                InputStream stream = unpacked;
                if (stream == null) {
                    stream = opening.open();
                    unpacked = stream;
                }
                int read = stream.read(into, from, (int) Math.min(length, left));
                left -= Math.max(read, 0);
                return read;
            } catch (IOException e) {
                // The compressed bytes are in a mapped file, which does not fail like this: their content is damaged.
                ended = true;
                omissions.count(UnreadableRecords.Kind.PACKED);
                if (isWhole && end != End.DAMAGED) {
                    end = e instanceof ZipException ? End.DAMAGED : End.CUT;
                }
                return -1;
            }
        }
    }
}
