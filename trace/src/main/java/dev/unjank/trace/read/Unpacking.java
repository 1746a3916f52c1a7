package dev.unjank.trace.read;

import dev.unjank.trace.Omissions;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * What comes out of the packed data of one file, and how much more may: a small file cannot make anybody read for ever. Where
 * packed data is damaged, or too much comes out of it, it ends.
 */
final class Unpacking {
    /** Makes an unpacking stream, which may fail on the first bytes already. */
    interface Opening {
        InputStream open() throws IOException;
    }

    private final Omissions omissions;
    private long left;
    private boolean tooMuch;
    private boolean damaged;

    /**
     * Begins a file.
     *
     * @param most how many bytes may come out of it
     * @param omissions is told of damage
     */
    Unpacking(long most, Omissions omissions) {
        this.left = most;
        this.omissions = omissions;
    }

    /** Whether more came out than any trace holds. */
    boolean isTooMuch() {
        return tooMuch;
    }

    /** Whether packed data was cut or damaged. */
    boolean isDamaged() {
        return damaged;
    }

    /** Unpacked bytes, counted. */
    PacketStream.Source of(Opening opening) {
        return new Counted(opening);
    }

    private final class Counted implements PacketStream.Source {
        private final Opening opening;
        private @Nullable InputStream unpacked;
        private boolean ended;

        Counted(Opening opening) {
            this.opening = opening;
        }

        @Override
        public int read(byte[] into, int from, int length) {
            if (ended) {
                return -1;
            } else if (left <= 0) {
                tooMuch = true;
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
                damaged = true;
                ended = true;
                omissions.note(Omissions.What.PACKED);
                return -1;
            }
        }
    }
}
