package dev.unjank.query.fuzz;

import dev.unjank.fixture.ArbitraryNames;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Changes to one field somewhere in a protobuf message. The lengths around it stay right, unless one of them is the
 * change.
 */
final class ProtobufMutations {
    private static final int VARINT = 0;
    private static final int FIXED64 = 1;
    private static final int BYTES = 2;
    private static final int FIXED32 = 5;

    private final Random random;
    private final List<String> names;

    ProtobufMutations(Random random, List<String> names) {
        this.random = random;
        this.names = names;
    }

    /** A field: its tag from {@code start} on, its value from {@code from}; a length lies before that. */
    private record Field(int start, long tag, int from, int to) {
        int type() {
            return (int) (tag & 7);
        }
    }

    byte[] changed(byte[] message) {
        return changed(message, 0);
    }

    private byte[] changed(byte[] message, int depth) {
        List<Field> fields = fields(message);
        if (fields == null || fields.isEmpty()) {
            return ByteMutations.changed(random, message);
        }
        int index = random.nextInt(fields.size());
        Field field = fields.get(index);
        if (field.type() == BYTES && field.to() > field.from()) {
            byte[] value = Arrays.copyOfRange(message, field.from(), field.to());
            boolean nested = depth < 12 && fields(value) != null && !isText(value);
            if (nested && random.nextInt(8) != 0) {
                return with(message, field, framed(field.tag(), changed(value, depth + 1)));
            }
        }
        return changedAt(message, fields, index);
    }

    private byte[] changedAt(byte[] message, List<Field> fields, int index) {
        Field field = fields.get(index);
        Field other = fields.get(random.nextInt(fields.size()));
        byte[] whole = Arrays.copyOfRange(message, field.start(), field.to());
        return switch (random.nextInt(10)) {
            case 0 -> with(message, field, new byte[0]);
            case 1 -> ByteMutations.replaced(message, field.start(), field.start(), whole);
            case 2 -> ByteMutations.replaced(message, other.start(), other.start(), whole);
            case 3 -> {
                byte[] tag = ByteMutations.varint(
                        random.nextBoolean() ? field.tag() ^ (1L << random.nextInt(10)) : other.tag());
                yield with(message, field, joined(tag, Arrays.copyOfRange(message, valueStart(field), field.to())));
            }
            default -> with(message, field, value(message, field, other));
        };
    }

    private byte[] value(byte[] message, Field field, Field other) {
        byte[] tag = ByteMutations.varint(field.tag());
        byte[] value = Arrays.copyOfRange(message, field.from(), field.to());
        return switch (field.type()) {
            case VARINT -> {
                long number = other.type() == VARINT && random.nextInt(4) == 0
                        ? read(message, other.from())
                        : ByteMutations.number(random, read(message, field.from()));
                yield joined(tag, ByteMutations.varint(number));
            }
            case BYTES ->
                switch (random.nextInt(8)) {
                    case 0 ->
                        joined(tag, joined(ByteMutations.varint(ByteMutations.number(random, value.length)), value));
                    case 1 -> framed(field.tag(), ByteMutations.changed(random, value));
                    case 2 -> framed(field.tag(), new byte[0]);
                    default -> framed(field.tag(), ByteMutations.of(ArbitraryNames.damaged(random, names)));
                };
            default -> {
                long number = ByteMutations.number(random, 0);
                byte[] fixed = new byte[value.length];
                for (int i = 0; i < fixed.length; i++) {
                    fixed[i] = (byte) (number >>> (8 * i));
                }
                yield joined(tag, fixed);
            }
        };
    }

    private static boolean isText(byte[] value) {
        int letters = 0;
        for (byte b : value) {
            if (b >= ' ') {
                letters++;
            }
        }
        return letters == value.length;
    }

    private static byte[] framed(long tag, byte[] value) {
        return joined(ByteMutations.varint(tag), joined(ByteMutations.varint(value.length), value));
    }

    private static byte[] joined(byte[] one, byte[] other) {
        return ByteMutations.replaced(one, one.length, one.length, other);
    }

    private static byte[] with(byte[] message, Field field, byte[] by) {
        return ByteMutations.replaced(message, field.start(), field.to(), by);
    }

    /** Behind the tag, where the length begins if there is one. */
    private static int valueStart(Field field) {
        return field.start() + ByteMutations.varint(field.tag()).length;
    }

    /** The fields of a message; null if the bytes are none. */
    static @Nullable List<int[]> packets(byte[] trace) {
        List<Field> fields = fields(trace);
        return fields == null
                ? null
                : fields.stream()
                        .map(field -> new int[] {field.start(), field.from(), field.to()})
                        .toList();
    }

    private static @Nullable List<Field> fields(byte[] message) {
        List<Field> fields = new ArrayList<>();
        int at = 0;
        while (at < message.length) {
            int start = at;
            int end = end(message, at);
            long tag = end < 0 ? 0 : read(message, at);
            if (end < 0 || tag >>> 3 == 0 || tag >>> 3 > (1 << 29) || end - start != ByteMutations.varint(tag).length) {
                return null;
            }
            long length = switch ((int) (tag & 7)) {
                case VARINT -> end(message, end) - end;
                case FIXED64 -> Long.BYTES;
                case FIXED32 -> Integer.BYTES;
                case BYTES -> {
                    int from = end(message, end);
                    long size = from < 0 ? -1 : read(message, end);
                    end = from;
                    yield size;
                }
                default -> -1;
            };
            if (length < 0 || end < 0 || length > message.length - end) {
                return null;
            }
            at = end + (int) length;
            fields.add(new Field(start, tag, end, at));
        }
        return fields;
    }

    /** Where a varint ends; -1 if it does not. */
    private static int end(byte[] bytes, int from) {
        for (int at = from; at < bytes.length && at < from + 10; at++) {
            if (bytes[at] >= 0) {
                return at + 1;
            }
        }
        return -1;
    }

    private static long read(byte[] bytes, int from) {
        long value = 0;
        int at = from;
        for (int shift = 0; shift < 64; shift += 7) {
            byte b = bytes[at++];
            value |= (b & 0x7fL) << shift;
            if (b >= 0) {
                break;
            }
        }
        return value;
    }
}
