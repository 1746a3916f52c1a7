package dev.unjank.trace.proto;

/**
 * Walks the fields of one protobuf message in a byte array, without making objects: {@link #next} moves to a field, the
 * other methods tell of it. A reader is set onto one message after the other by {@link #reset}; for nested messages take a
 * second reader. It never throws on bad input and never leaves its message: where the bytes stop making sense it ends, and
 * {@link #isDamaged} tells. Not safe for use by several threads.
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

    /** The least tag there is: field 1, as a number. */
    private static final int FIRST_TAG = 1 << 3;

    private static final byte[] NOTHING = {};

    private byte[] bytes = NOTHING;
    private int position;
    private int limit;
    private int tag;
    private long value;
    private int from;
    private boolean damaged;

    /** Creates a reader over nothing. */
    public ProtoReader() {}

    /**
     * Sets the reader onto a message.
     *
     * @param bytes holds the message
     */
    public ProtoReader reset(byte[] bytes, int from, int to) {
        this.bytes = bytes;
        position = from;
        limit = to;
        damaged = false;
        return this;
    }

    /** Sets the reader onto the message that another reader's current field holds. */
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
                // A tag of one byte, a number or a length of one or two: most fields of most messages.
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
     * Moves to the next field that is not of a given number: for messages that are thousands of one field around a
     * few others.
     *
     * @param common the number of the field to pass over, less than 16; only where it holds bytes
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

    /** One varint, most likely of one byte. */
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

    /** One varint; what lies beyond the message makes it damaged. */
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

    /** Whether the walk ended because the bytes made no sense, rather than at the message's end. */
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
     * The current field's number, for one that holds a number. Of a field that holds bytes it is 0: what the schema
     * calls a number and the trace fills with bytes is damage, and reads as not set.
     */
    public long value() {
        return isBytes() ? 0 : value;
    }

    /** The current field's number where the schema has 32 bits. */
    public int intValue() {
        return (int) value();
    }

    /**
     * The current field's truth.
     *
     * @return true unless it is 0
     */
    public boolean boolValue() {
        return value() != 0;
    }

    /** The array that holds the message. */
    public byte[] bytes() {
        return bytes;
    }

    /**
     * Where the current field's bytes begin; of a field that holds a number, an empty range.
     *
     * @return an index into {@link #bytes}
     */
    public int from() {
        return isBytes() ? from : position;
    }

    /**
     * Where the current field's bytes end.
     *
     * @return an index into {@link #bytes}
     */
    public int to() {
        return position;
    }

    /**
     * How many bytes the current field has.
     *
     * @return the count, 0 for a field that holds a number
     */
    public int length() {
        return to() - from();
    }
}
