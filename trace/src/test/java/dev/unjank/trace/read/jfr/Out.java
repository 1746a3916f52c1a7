package dev.unjank.trace.read.jfr;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Values as a recording has them. */
final class Out {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    Out number(long value) {
        long rest = value;
        for (int i = 0; i < 8; i++) {
            if ((rest & ~0x7fL) == 0) {
                bytes.write((int) rest);
                return this;
            }
            bytes.write(((int) rest & 0x7f) | 0x80);
            rest >>>= 7;
        }
        bytes.write((int) rest);
        return this;
    }

    /** In four bytes, however small, as the virtual machine writes lengths that it fills in later. */
    Out padded(long value) {
        for (int i = 0; i < 3; i++) {
            bytes.write(((int) (value >>> (7 * i)) & 0x7f) | 0x80);
        }
        bytes.write((int) (value >>> 21) & 0x7f);
        return this;
    }

    Out one(int value) {
        bytes.write(value);
        return this;
    }

    Out bigEndian(long value, int length) {
        for (int i = length - 1; i >= 0; i--) {
            bytes.write((int) (value >>> (8 * i)));
        }
        return this;
    }

    Out float32(float value) {
        return bigEndian(Float.floatToRawIntBits(value), 4);
    }

    Out nothing() {
        return one(Cursor.STRING_NULL);
    }

    Out text(String text) {
        return text(Cursor.STRING_UTF8, text);
    }

    Out text(int form, String text) {
        one(form);
        switch (form) {
            case Cursor.STRING_UTF8 -> array(text.getBytes(StandardCharsets.UTF_8));
            case Cursor.STRING_LATIN1 -> array(text.getBytes(StandardCharsets.ISO_8859_1));
            case Cursor.STRING_CHARS -> {
                number(text.length());
                text.chars().forEach(this::number);
            }
            default -> throw new IllegalArgumentException("form " + form);
        }
        return this;
    }

    Out constantText(long key) {
        return one(Cursor.STRING_CONSTANT).number(key);
    }

    private void array(byte[] array) {
        number(array.length);
        bytes.writeBytes(array);
    }

    Out raw(byte[] raw) {
        bytes.writeBytes(raw);
        return this;
    }

    int size() {
        return bytes.size();
    }

    byte[] toByteArray() {
        return bytes.toByteArray();
    }
}
