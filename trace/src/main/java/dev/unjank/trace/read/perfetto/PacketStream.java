package dev.unjank.trace.read.perfetto;

import dev.unjank.trace.proto.PacketFields;
import dev.unjank.trace.proto.ProtoReader;
import dev.unjank.trace.read.input.ByteSource;
import dev.unjank.trace.read.input.MappedBytes;
import dev.unjank.trace.read.perfetto.ftrace.BundleHeader;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Splits a stream of bytes into trace packets. The bytes pass through one buffer, which grows only for packets that
 * are really larger; a damaged length costs nothing.
 *
 * <p>In a mapped file, bundles of kernel events are skipped if the first has the boot clock: their packets come with
 * empty bundles, and the stream returns their file offsets.
 */
final class PacketStream implements PacketSource {
    /** The end of a stream. */
    enum End {
        /** At the end of the last packet. */
        CLEAN,
        /** Within a packet. */
        CUT,
        /** At bytes that are not a packet. */
        DAMAGED
    }

    private static final int PACKET_TAG = PacketFields.Trace.PACKET << 3 | 2;
    private static final int MAX_PACKET = Integer.MAX_VALUE - 64;

    /** The longest tag and length before a packet. */
    private static final int MAX_HEADER = 20;

    /** The number of bytes read ahead in a mapped file: few, since most of it is skipped. */
    private static final int AHEAD_IN_FILE = 1 << 10;

    /** The number of bytes read ahead after a skipped bundle: the next packet is probably another one. */
    private static final int AHEAD_BEHIND_BUNDLE = 1 << 7;

    private static final int BUNDLE_TAG = PacketFields.TracePacket.FTRACE_EVENTS << 3 | 2;

    /** The maximum number of bytes of a packet after a skipped bundle. */
    private static final int MAX_BEHIND_BUNDLE = 256;

    private final ByteSource source;
    private final @Nullable MappedBytes file;
    private final int ahead;
    private byte[] buffer;

    /** The position in the buffer. */
    private int position;

    private int limit;
    private long taken;
    private boolean exhausted;
    private End end = End.CLEAN;

    private byte[] packet = {};
    private int from;
    private int to;

    private final ProtoReader around = new ProtoReader();
    private boolean hasSeenBundle;
    private boolean leavesBundles;
    private boolean hasLeftBundle;
    private long leftOffset;
    private int leftLength;

    PacketStream(ByteSource source, int bufferSize) {
        this.source = source;
        file = null;
        ahead = bufferSize;
        buffer = new byte[bufferSize];
    }

    PacketStream(MappedBytes file) {
        this.source = file;
        this.file = file;
        ahead = AHEAD_IN_FILE;
        buffer = new byte[2 * AHEAD_IN_FILE];
    }

    @Override
    public boolean next(PacketHeader frame) throws IOException {
        if (!next()) {
            return false;
        }
        frame.read(packet, from, to);
        if (file != null && !hasSeenBundle && frame.content == PacketFields.TracePacket.FTRACE_EVENTS) {
            hasSeenBundle = true;
            around.reset(packet, frame.contentAt, to);
            around.next();
            BundleHeader head = new BundleHeader();
            head.read(packet, around.from(), around.to());
            leavesBundles = head.usesBootClock();
        }
        return true;
    }

    /** Moves to the next packet; returns false at the end, see {@link #end}. */
    boolean next() throws IOException {
        while (true) {
            if (limit - position < MAX_HEADER) {
                fill(MAX_HEADER);
            }
            if (position == limit) {
                return false;
            }
            int start = position;
            long tag = varint();
            if (tag == PACKET_TAG) {
                return packet(start);
            }
            if (!skip(start, tag)) {
                return false;
            }
        }
    }

    private boolean packet(int start) throws IOException {
        long length = varint();
        if (length < 0) {
            return endAt(start, position == limit && exhausted ? End.CUT : End.DAMAGED);
        }
        if (length > MAX_PACKET) {
            return endAt(start, End.CUT);
        }
        int header = position - start;
        int whole = header + (int) length;
        position = start;
        hasLeftBundle = false;
        if (leavesBundles && file != null && limit - position < whole && skipBundle(file, header, whole)) {
            return true;
        }
        if (whole < 0 || limit - position < whole) {
            fill(whole);
            if (whole < 0 || limit - position < whole) {
                return endAt(position, End.CUT);
            }
        }
        packet = buffer;
        from = position + header;
        to = position + whole;
        position = to;
        return true;
    }

    /**
     * Skips the bundle of a packet that contains little else: the bytes before and after the bundle become the
     * packet, with an empty bundle in between.
     */
    private boolean skipBundle(MappedBytes file, int header, int whole) {
        int fields = position + header;
        around.reset(buffer, fields, limit);
        int at = fields;
        while (at < limit && buffer[at] != BUNDLE_TAG) {
            if (!around.next()) {
                return false;
            }
            at = around.to();
        }
        if (limit - at < MAX_HEADER) {
            return false;
        }
        int before = at - fields;
        int saved = position;
        position = at + 1;
        long length = varint();
        int begin = position - saved;
        position = saved;
        long behind = whole - begin - length;
        long end = taken + position + whole;
        if (length < 0 || behind < 0 || behind > MAX_BEHIND_BUNDLE || end > file.size()) {
            return false;
        }
        leftOffset = taken + position + begin;
        leftLength = (int) length;
        hasLeftBundle = true;
        byte[] shell = new byte[before + 2 + (int) behind];
        System.arraycopy(buffer, fields, shell, 0, before);
        shell[before] = BUNDLE_TAG;
        file.copy(leftOffset + length, shell, before + 2, (int) behind);
        packet = shell;
        from = 0;
        to = shell.length;
        taken = end;
        position = 0;
        limit = 0;
        file.position(end);
        return true;
    }

    @Override
    public boolean hasSkippedBundle() {
        return hasLeftBundle;
    }

    @Override
    public long skippedOffset() {
        return leftOffset;
    }

    @Override
    public int skippedLength() {
        return leftLength;
    }

    /** Skips a field of the trace that is not a packet; few kinds exist, and none is needed. */
    private boolean skip(int start, long tag) throws IOException {
        long field = tag >>> 3;
        if (tag < 0 || field == 0 || field > 64) {
            return endAt(start, End.DAMAGED);
        }
        long length = switch ((int) tag & 7) {
            case 0 -> {
                long value = varint();
                yield value == -1 ? -1 : 0;
            }
            case 1 -> 8;
            case 2 -> varint();
            case 5 -> 4;
            default -> -1;
        };
        if (length < 0) {
            return endAt(start, End.DAMAGED);
        }
        while (length > limit - position) {
            length -= limit - position;
            position = limit;
            fill(1);
            if (position == limit) {
                return endAt(position, End.CUT);
            }
        }
        position += (int) length;
        return true;
    }

    private boolean endAt(int where, End how) {
        position = where;
        end = how;
        return false;
    }

    /** A varint from the buffer, -1 if there is none; negative 64-bit values count as none. */
    private long varint() {
        long result = 0;
        for (int shift = 0; shift < 64 && position < limit; shift += 7) {
            byte b = buffer[position++];
            result |= (b & 0x7fL) << shift;
            if (b >= 0) {
                return result < 0 ? Long.MAX_VALUE : result;
            }
        }
        return -1;
    }

    /** Reads at least the wanted number of bytes into the buffer, unless the stream ends before. */
    private void fill(int wanted) throws IOException {
        if (position > 0) {
            System.arraycopy(buffer, position, buffer, 0, limit - position);
            taken += position;
            limit -= position;
            position = 0;
        }
        while (limit < wanted && !exhausted) {
            if (limit == buffer.length) {
                buffer = Arrays.copyOf(buffer, (int) Math.min(buffer.length * 2L, MAX_PACKET));
            }
            int least = Math.max(wanted - limit, hasLeftBundle ? AHEAD_BEHIND_BUNDLE : ahead);
            int read = source.read(buffer, limit, Math.min(buffer.length - limit, least));
            if (read < 0) {
                exhausted = true;
            } else {
                limit += read;
            }
        }
    }

    @Override
    public byte[] bytes() {
        return packet;
    }

    @Override
    public int from() {
        return from;
    }

    @Override
    public int to() {
        return to;
    }

    @Override
    public long offsetOf(int index) {
        return taken + index;
    }

    /** The number of bytes split so far. */
    long offset() {
        return taken + position;
    }

    /** The end of the stream. */
    End end() {
        return end;
    }

    /** Does nothing: there is nothing to release. */
    @Override
    public void close() {}
}
