package dev.unjank.trace.read.input;

import dev.unjank.trace.read.common.UnreadableRecords;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * What comes out of the packed data of one file, and how much more may: a small file cannot make anybody read for ever. Where
 * packed data is damaged, or too much comes out of it, it ends.
 */
public final class BoundedUnpacker {
    /** Makes an unpacking stream, which may fail on the first bytes already. */
    public interface Opening {
        InputStream open() throws IOException;
    }

    /** How packed data ended that a file is packed in, if not as it should; the worst counts. */
    public enum End {
        CLEAN,
        CUT,
        DAMAGED
    }

    private final UnreadableRecords omissions;
    private long left;
    private boolean exceedsLimit;
    private End end = End.CLEAN;

    /**
     * Begins a file.
     *
     * @param most how many bytes may come out of it
     */
    public BoundedUnpacker(long most, UnreadableRecords omissions) {
        this.left = most;
        this.omissions = omissions;
    }

    /** Whether more came out than any trace holds. */
    public boolean exceedsLimit() {
        return exceedsLimit;
    }

    /** How the data ended that the file, or a part of it, is packed in, since that was taken last. */
    public End end() {
        return end;
    }

    /** The same, and the next part may end in another way. */
    public End pollEnd() {
        End taken = end;
        end = End.CLEAN;
        return taken;
    }

    /** Unpacked bytes, counted. */
    public ByteSource of(Opening opening) {
        return new Counted(opening, true);
    }

    /** The same of a small part of a file. Where it is damaged the file goes on. */
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
                // The packed bytes lie in a mapped file, which does not fail so: it is what they mean that does.
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
