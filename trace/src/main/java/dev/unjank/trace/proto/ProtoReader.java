package dev.unjank.trace.proto;

import java.nio.charset.StandardCharsets;

/**
 * Reads the fields of a protobuf message in a byte array without objects: {@link #next} moves to a field, the other
 * methods return its properties. {@link #reset} starts another message; nested messages need a second reader. It
 * never throws on malformed input and never leaves its message: it ends at the damage, and {@link #isDamaged} returns
 * true. Not thread-safe.
 */
public final class ProtoReader {
    /** Wire type of integers, enums and bools. */
    public static final int VARINT = 0;

    /** Wire type of fixed64, sfixed64 and double. */
    public static final int FIXED64 = 1;

    /** Wire type of strings, bytes, messages and packed fields. */
    public static final int LENGTH_DELIMITED = 2;

    /** Wire type of fixed32, sfixed32 and float. */
    public static final int FIXED32 = 5;

    /** The smallest tag: field 1 with a varint. */
    private static final int FIRST_TAG = 1 << 3;

    private static final byte[] NOTHING = {};

    private byte[] bytes = NOTHING;
    private int position;
    private int limit;
    private int tag;
    private long value;
    private int from;
    private boolean damaged;

    /** Creates a reader of an empty message. */
    public ProtoReader() {}

    /** Starts a message. */
    public ProtoReader reset(byte[] bytes, int from, int to) {
        this.bytes = bytes;
        position = from;
        limit = to;
        damaged = false;
        return this;
    }

    /** Starts the message in another reader's current field. */
    public ProtoReader resetToField(ProtoReader outer) {
        return reset(outer.bytes, outer.from(), outer.to());
    }

    /** Moves to the next field. */
    public boolean next() {
        int at = position + 2;
        if (at <= limit) {
            int first = bytes[at - 2];
            int number = bytes[at - 1];
            if (number < 0 && at < limit) {
                number = (number & 0x7f) | bytes[at++] << 7;
            }
            if (first >= FIRST_TAG && number >= 0) {
                // A tag of one byte, a value or a length of one or two: most fields of most messages.
                int type = first & 7;
                if (type == VARINT) {
                    tag = first;
                    value = number;
                    position = at;
                    return true;
                } else if (type == LENGTH_DELIMITED && number <= limit - at) {
                    tag = first;
                    from = at;
                    position = at + number;
                    return true;
                }
            }
        }
        return nextOfAnyLength();
    }

    private boolean nextOfAnyLength() {
        if (position >= limit) {
            return false;
        }
        int first = bytes[position];
        if (first >= 0) {
            position++;
            tag = first;
        } else {
            long wide = rawVarint();
            if (wide < 0 || wide > 0xffffffffL) {
                return damaged();
            }
            tag = (int) wide;
        }
        if (field() == 0) {
            return damaged();
        }
        switch (type()) {
            case VARINT -> value = smallVarint();
            case LENGTH_DELIMITED -> {
                long length = smallVarint();
                if (length < 0 || length > limit - position) {
                    return damaged();
                }
                from = position;
                position += (int) length;
            }
            case FIXED64 -> value = fixed(Long.BYTES);
            case FIXED32 -> value = fixed(Integer.BYTES);
            default -> damaged();
        }
        return !damaged;
    }

    /**
     * Moves to the next field with another number than the given one, which is less than 16: for messages with
     * thousands of one field and a few others. Only a length-delimited field is skipped.
     */
    public boolean nextExcept(int common) {
        int commonTag = common << 3 | LENGTH_DELIMITED;
        while (position < limit && bytes[position] == commonTag) {
            position++;
            long length = smallVarint();
            if (length < 0 || length > limit - position || damaged) {
                return damaged();
            }
            position += (int) length;
        }
        return next();
    }

    /** A varint, probably of one byte. */
    private long smallVarint() {
        if (position < limit) {
            byte b = bytes[position];
            if (b >= 0) {
                position++;
                return b;
            }
        }
        return rawVarint();
    }

    /** A varint; the message is damaged if it extends beyond the end. */
    private long rawVarint() {
        if (limit - position >= Long.BYTES) {
            long word = Varint.word(bytes, position);
            int length = Varint.length(word);
            if (length <= Long.BYTES) {
                position += length;
                return Varint.value(word);
            }
        }
        return slowVarint();
    }

    private long slowVarint() {
        long result = 0;
        int at = position;
        for (int shift = 0; shift < 64; shift += 7) {
            if (at >= limit) {
                break;
            }
            byte b = bytes[at++];
            result |= (b & 0x7fL) << shift;
            if (b >= 0) {
                position = at;
                return result;
            }
        }
        damaged();
        return 0;
    }

    private long fixed(int length) {
        if (length > limit - position) {
            damaged();
            return 0;
        }
        long result = 0;
        for (int i = length - 1; i >= 0; i--) {
            result = (result << 8) | (bytes[position + i] & 0xff);
        }
        position += length;
        return result;
    }

    private boolean damaged() {
        damaged = true;
        position = limit;
        return false;
    }

    /** Whether reading ended at malformed bytes instead of the message's end. */
    public boolean isDamaged() {
        return damaged;
    }

    /** The number of the current field. */
    public int field() {
        return tag >>> 3;
    }

    /** The wire type of the current field. */
    public int type() {
        return tag & 7;
    }

    /** Whether the current field holds a message, a string, bytes or a packed field. */
    public boolean isBytes() {
        return type() == LENGTH_DELIMITED;
    }

    /**
     * The value of the current field if it is numeric, 0 if it is length-delimited: a field of the wrong wire type is
     * damage, and reads as unset.
     */
    public long value() {
        return isBytes() ? 0 : value;
    }

    /** The value of the current field if the schema has 32 bits. */
    public int intValue() {
        return (int) value();
    }

    /** Whether the value of the current field is not 0. */
    public boolean boolValue() {
        return value() != 0;
    }

    /** The array that contains the message. */
    public byte[] bytes() {
        return bytes;
    }

    /** The start of the current field in {@link #bytes}; an empty range for a numeric field. */
    public int from() {
        return isBytes() ? from : position;
    }

    /** The end of the current field in {@link #bytes}. */
    public int to() {
        return position;
    }

    /** The current field as a string of at most so many bytes. */
    public String string(int most) {
        return new String(bytes, from(), Math.min(length(), most), StandardCharsets.UTF_8);
    }

    /** The length of the current field in bytes, 0 for a numeric field. */
    public int length() {
        return to() - from();
    }
}
