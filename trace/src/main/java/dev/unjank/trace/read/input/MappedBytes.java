package dev.unjank.trace.read.input;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** A mapped file as a sequential source of bytes. */
public final class MappedBytes implements ByteSource {
    private final MemorySegment bytes;
    private long position;

    public MappedBytes(MemorySegment bytes) {
        this.bytes = bytes;
    }

    @Override
    public int read(byte[] into, int from, int length) {
        int count = (int) Math.min(length, bytes.byteSize() - position);
        if (count == 0) {
            return -1;
        }
        copy(position, into, from, count);
        position += count;
        return count;
    }

    /** The number of bytes. */
    public long size() {
        return bytes.byteSize();
    }

    /** Continues at another offset. */
    public void position(long newPosition) {
        position = newPosition;
    }

    /** Copies bytes at an offset. */
    public void copy(long offset, byte[] into, int from, int length) {
        copy(bytes, offset, into, from, length);
    }

    /**
     * Copies bytes of a segment into an array. {@link MemorySegment#copy(MemorySegment, ValueLayout, long, Object,
     * int, int)} does the same, but checks the type of the array each time.
     */
    public static void copy(MemorySegment bytes, long offset, byte[] into, int from, int length) {
        MemorySegment.copy(bytes, offset, MemorySegment.ofArray(into), from, length);
    }

    /** The first bytes; does not move the position. */
    public byte[] head() {
        return bytes.asSlice(0, Math.min(ByteSource.HEAD_BYTES, bytes.byteSize()))
                .toArray(ValueLayout.JAVA_BYTE);
    }
}
