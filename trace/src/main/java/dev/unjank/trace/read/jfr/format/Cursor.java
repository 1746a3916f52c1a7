package dev.unjank.trace.read.jfr.format;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Reads values of a recording sequentially. The bytes pass through a small window on the heap, since reading off the
 * heap is slower; moving within the window costs nothing.
 *
 * <p>Integers, {@link #varint}, have seven bits per byte, the low ones first; the eighth bit is set if another byte
 * follows; a ninth byte has eight bits. Floating-point numbers are big-endian.
 */
public final class Cursor {
    /** The maximum length of an integer. */
    private static final int MAX_VARINT_BYTES = 9;

    // The encodings of a string: its first byte.
    static final int STRING_NULL = 0;
    static final int STRING_EMPTY = 1;
    public static final int STRING_CONSTANT = 2;
    static final int STRING_UTF8 = 3;
    static final int STRING_CHARS = 4;
    public static final int STRING_LATIN1 = 5;

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private static final long EIGHTH_BITS = 0x8080808080808080L;

    /** Longer strings are truncated. */
    private static final int MAX_STRING_BYTES = 1 << 24;

    private final MemorySegment bytes;
    private final long size;
    private final byte[] window;

    /** The position of the window, the index of the next byte in it, and its length. */
    private long base;

    private int at;
    private int limit;

    /** The end of the current record: a count cannot exceed the bytes before it. */
    private long end;

    public Cursor(MemorySegment bytes, int windowSize) {
        this.bytes = bytes;
        this.size = bytes.byteSize();
        this.end = size;
        this.window = new byte[Math.max(windowSize, 2 * MAX_VARINT_BYTES)];
    }

    public long position() {
        return base + at;
    }

    public void seek(long position) throws DamagedRecordingException {
        long inWindow = position - base;
        if (inWindow >= 0 && inWindow <= limit) {
            at = (int) inWindow;
        } else if (position < 0 || position > size) {
            throw new DamagedRecordingException("a position outside the file");
        } else {
            base = position;
            at = 0;
            limit = 0;
        }
    }

    /** Sets the end of the current record, which may be after the end of the file. */
    public void endAt(long position) {
        end = Math.min(size, position);
    }

    void skip(long count) throws DamagedRecordingException {
        if (count < 0 || count > size) {
            throw new DamagedRecordingException("an impossible length");
        }
        seek(position() + count);
    }

    /** Fills the window with at least {@code count} bytes, if the file has them. */
    private void need(int count) {
        if (limit - at < count) {
            base += at;
            at = 0;
            limit = (int) Math.min(window.length, size - base);
            MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, base, window, 0, limit);
        }
    }

    public byte one() throws DamagedRecordingException {
        if (at == limit) {
            need(1);
            if (limit == 0) {
                throw cut();
            }
        }
        return window[at++];
    }

    public long varint() throws DamagedRecordingException {
        if (limit - at < MAX_VARINT_BYTES) {
            need(MAX_VARINT_BYTES);
            if (limit - at < MAX_VARINT_BYTES) {
                return lastVarint();
            }
        }
        byte[] from = window;
        int i = at;
        long b = from[i++];
        if (b >= 0) {
            at = i;
            return b;
        }
        long value = b & 0x7f;
        for (int shift = 7; shift < 56; shift += 7) {
            b = from[i++];
            value |= (b & 0x7f) << shift;
            if (b >= 0) {
                at = i;
                return value;
            }
        }
        at = i + 1;
        return value | (from[i] & 0xffL) << 56;
    }

    /** An integer near the end of the file. */
    private long lastVarint() throws DamagedRecordingException {
        long value = 0;
        for (int shift = 0; shift < 56; shift += 7) {
            long b = one();
            value |= (b & 0x7f) << shift;
            if (b >= 0) {
                return value;
            }
        }
        return value | (one() & 0xffL) << 56;
    }

    void skipVarints(long count) throws DamagedRecordingException {
        long left = count;
        while (left > 0) {
            need(MAX_VARINT_BYTES);
            int last = limit - MAX_VARINT_BYTES;
            int i = at;
            byte[] from = window;
            while (left >= Long.BYTES && i <= last) {
                // Eight bytes at once: each byte without its eighth bit ends a number. A number without an end is
                // left.
                long ends = ~(long) LONG.get(from, i) & EIGHTH_BITS;
                if (ends == 0) {
                    i += MAX_VARINT_BYTES;
                    left--;
                } else {
                    i += Long.BYTES - (Long.numberOfLeadingZeros(ends) >>> 3);
                    left -= Long.bitCount(ends);
                }
            }
            while (left > 0 && i <= last) {
                int longest = i + MAX_VARINT_BYTES - 1;
                while (from[i] < 0 && i < longest) {
                    i++;
                }
                i++;
                left--;
            }
            at = i;
            if (left > 0 && base + limit == size) {
                while (left-- > 0) {
                    lastVarint();
                }
            }
        }
    }

    /** The count of following items, each at least one byte long. */
    public int count() throws DamagedRecordingException {
        long count = varint();
        if (count < 0 || count > end - position() || count > Integer.MAX_VALUE) {
            throw new DamagedRecordingException("an impossible count");
        }
        return (int) count;
    }

    private long bigEndian(int length) throws DamagedRecordingException {
        long value = 0;
        for (int i = 0; i < length; i++) {
            value = value << 8 | (one() & 0xff);
        }
        return value;
    }

    float float32() throws DamagedRecordingException {
        return Float.intBitsToFloat((int) bigEndian(4));
    }

    double float64() throws DamagedRecordingException {
        return Double.longBitsToDouble(bigEndian(8));
    }

    void skipString() throws DamagedRecordingException {
        switch (one()) {
            case STRING_NULL, STRING_EMPTY -> {}
            case STRING_CONSTANT -> skipVarints(1);
            case STRING_UTF8, STRING_LATIN1 -> skip(count());
            case STRING_CHARS -> skipVarints(count());
            default -> throw new DamagedRecordingException("a string with an unknown encoding");
        }
    }

    /** Reads a string after its first byte, which is given. Not for {@link #STRING_CONSTANT}. */
    @Nullable
    public String string(int form) throws DamagedRecordingException {
        return switch (form) {
            case STRING_NULL -> null;
            case STRING_EMPTY -> "";
            case STRING_UTF8 -> new String(array(), StandardCharsets.UTF_8);
            case STRING_LATIN1 -> new String(array(), StandardCharsets.ISO_8859_1);
            case STRING_CHARS -> chars();
            default -> throw new DamagedRecordingException("a string with an unknown encoding");
        };
    }

    private byte[] array() throws DamagedRecordingException {
        int length = count();
        byte[] array = new byte[Math.min(length, MAX_STRING_BYTES)];
        MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, position(), array, 0, array.length);
        skip(length);
        return array;
    }

    private String chars() throws DamagedRecordingException {
        int length = count();
        char[] chars = new char[Math.min(length, MAX_STRING_BYTES)];
        for (int i = 0; i < chars.length; i++) {
            chars[i] = (char) varint();
        }
        skipVarints(length - (long) chars.length);
        return new String(chars);
    }

    private static DamagedRecordingException cut() {
        return new DamagedRecordingException("the file ends within a value");
    }
}
