package dev.unjank.trace.write;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/** Walks over the fields of an encoded message in an array. */
final class Cursor {
    static final int VARINT = 0;
    static final int FIXED64 = 1;
    static final int LENGTH_DELIMITED = 2;
    static final int FIXED32 = 5;

    private final byte[] bytes;
    final int limit;
    int at;

    int field;
    int wireType;
    /** A varint's value. */
    long value;
    /** Where the field's tag begins, its content begins, and both end. */
    int start;

    private int content;
    int end;

    Cursor(byte[] bytes, int from, int limit) {
        this.bytes = bytes;
        this.at = from;
        this.limit = limit;
    }

    boolean hasMore() {
        return at < limit;
    }

    /** Goes to the next field, or says that there is none. */
    boolean next() throws IOException {
        if (at >= limit) {
            return false;
        }
        start = at;
        long tag = varint();
        field = (int) (tag >>> 3);
        wireType = (int) (tag & 7);
        value = 0;
        content = at;
        switch (wireType) {
            case VARINT -> value = varint();
            case FIXED64 -> skip(Long.BYTES);
            case LENGTH_DELIMITED -> {
                long length = varint();
                content = at;
                skip(length);
            }
            case FIXED32 -> skip(Integer.BYTES);
            default -> throw new IOException("wire type " + wireType + " at byte " + start);
        }
        end = at;
        return true;
    }

    /** A cursor over the fields of the message that this field holds. */
    Cursor message() throws IOException {
        if (wireType != LENGTH_DELIMITED) {
            throw new IOException("field " + field + " at byte " + start + " is no message");
        }
        return new Cursor(bytes, content, end);
    }

    /** What is left, as a stream. */
    InputStream stream() {
        return new ByteArrayInputStream(bytes, at, limit - at);
    }

    long varint() throws IOException {
        long result = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            if (at >= limit) {
                throw new EOFException("cut off at byte " + at);
            }
            byte b = bytes[at++];
            result |= (b & 0x7fL) << shift;
            if (b >= 0) {
                return result;
            }
        }
        throw new IOException("number of more than ten bytes at byte " + start);
    }

    private void skip(long length) throws IOException {
        if (length < 0 || length > limit - at) {
            throw new EOFException("cut off at byte " + at);
        }
        at += (int) length;
    }
}
