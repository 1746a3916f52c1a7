package dev.unjank.trace.proto;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Appends protobuf fields to a growing byte array. A nested message is written between {@link #begin} and {@link
 * #end}: one byte is reserved for its length, and the content is moved if that is not enough. So every length is
 * minimal, and the output depends only on the calls. Not thread-safe.
 */
public final class ProtoWriter {
    private static final int VARINT = 0;
    private static final int FIXED64 = 1;
    private static final int LENGTH_DELIMITED = 2;
    private static final int FIXED32 = 5;

    private byte[] buffer;
    private int size;

    /** Creates an empty writer with room for 256 bytes. */
    public ProtoWriter() {
        this(256);
    }

    /** Creates an empty writer. */
    public ProtoWriter(int capacity) {
        buffer = new byte[capacity];
    }

    /** The number of bytes written so far, an open message's length not included. */
    public int size() {
        return size;
    }

    /** Removes the content and keeps the capacity. */
    public void clear() {
        size = 0;
    }

    /**
     * Writes a field of any varint type: an integer, an enum, or a bool as 0 or 1. A negative int32 takes ten bytes,
     * as protobuf has it.
     */
    public void varint(int field, long value) {
        tag(field, VARINT);
        rawVarint(value);
    }

    /** Writes a bool field. */
    public void bool(int field, boolean value) {
        varint(field, value ? 1 : 0);
    }

    /** Writes a fixed64, sfixed64 or double field. */
    public void fixed64(int field, long bits) {
        tag(field, FIXED64);
        littleEndian(bits, Long.BYTES);
    }

    /** Writes a fixed32, sfixed32 or float field. */
    public void fixed32(int field, int bits) {
        tag(field, FIXED32);
        littleEndian(bits, Integer.BYTES);
    }

    /** Writes a string field in UTF-8. */
    public void string(int field, String value) {
        bytes(field, value.getBytes(StandardCharsets.UTF_8));
    }

    /** Writes a bytes field. */
    public void bytes(int field, byte[] value) {
        bytes(field, value, 0, value.length);
    }

    /** Writes part of an array as a bytes field. */
    public void bytes(int field, byte[] source, int offset, int length) {
        tag(field, LENGTH_DELIMITED);
        rawVarint(length);
        raw(source, offset, length);
    }

    /** Writes another writer's content as a nested message. */
    public void message(int field, ProtoWriter content) {
        bytes(field, content.buffer, 0, content.size);
    }

    /** Appends another writer's content as it is: fields of the message being written. */
    public void append(ProtoWriter content) {
        raw(content.buffer, 0, content.size);
    }

    /** Starts a nested message, or a packed repeated field when {@link #rawVarint} fills it. */
    public int begin(int field) {
        tag(field, LENGTH_DELIMITED);
        grow(1);
        return ++size;
    }

    /** Ends the nested message that {@link #begin} started. Messages end in the reverse order of their starts. */
    public void end(int mark) {
        int length = size - mark;
        int extra = varintSize(length) - 1;
        if (extra > 0) {
            grow(extra);
            System.arraycopy(buffer, mark, buffer, mark + extra, length);
        }
        size = mark - 1;
        rawVarint(length);
        size += length;
    }

    /** Writes a varint without a tag: an element of a packed repeated field. */
    public void rawVarint(long value) {
        grow(10);
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            buffer[size++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        buffer[size++] = (byte) rest;
    }

    /** Writes bytes without a tag. */
    public void raw(byte[] source, int offset, int length) {
        grow(length);
        System.arraycopy(source, offset, buffer, size, length);
        size += length;
    }

    /** Copies the content into a new array. */
    public byte[] toByteArray() {
        return Arrays.copyOf(buffer, size);
    }

    /** Writes the content to a stream. */
    public void writeTo(OutputStream out) throws IOException {
        out.write(buffer, 0, size);
    }

    /** The length of a varint in bytes. */
    public static int varintSize(long value) {
        return (70 - Long.numberOfLeadingZeros(value | 1)) / 7;
    }

    private void tag(int field, int wireType) {
        rawVarint(((long) field << 3) | wireType);
    }

    private void littleEndian(long bits, int bytes) {
        grow(bytes);
        for (int i = 0; i < bytes; i++) {
            buffer[size++] = (byte) (bits >>> (8 * i));
        }
    }

    private void grow(int extra) {
        if (buffer.length - size < extra) {
            buffer = Arrays.copyOf(buffer, Math.max(Math.addExact(size, extra), size + (size >> 1)));
        }
    }
}
