package dev.unjank.trace.processor;

import dev.unjank.trace.proto.ProtoReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The fields of a small message by number. Of a repeated field, {@link #all} has every value, the others the last. */
final class ProtoFields {
    /** Part of an array. */
    record Bytes(byte[] array, int from, int to) {
        String text() {
            return new String(array, from, to - from, StandardCharsets.UTF_8);
        }

        int length() {
            return to - from;
        }

        ProtoFields fields() {
            return ProtoFields.of(array, from, to);
        }
    }

    private int[] numbers = new int[8];
    private long[] values = new long[8];
    private Bytes[] bytes = new Bytes[8];
    private int size;

    private ProtoFields() {}

    static ProtoFields of(byte[] array, int from, int to) {
        ProtoFields fields = new ProtoFields();
        ProtoReader reader = new ProtoReader().reset(array, from, to);
        while (reader.next()) {
            fields.add(reader);
        }
        return fields;
    }

    static ProtoFields empty() {
        return new ProtoFields();
    }

    /** Adds the current field of a reader. */
    void add(ProtoReader reader) {
        if (size == numbers.length) {
            numbers = Arrays.copyOf(numbers, size * 2);
            values = Arrays.copyOf(values, size * 2);
            bytes = Arrays.copyOf(bytes, size * 2);
        }
        numbers[size] = reader.field();
        values[size] = reader.value();
        bytes[size] = reader.isBytes() ? new Bytes(reader.bytes(), reader.from(), reader.to()) : null;
        size++;
    }

    private int last(int number) {
        for (int i = size - 1; i >= 0; i--) {
            if (numbers[i] == number) {
                return i;
            }
        }
        return -1;
    }

    boolean has(int number) {
        return last(number) >= 0;
    }

    long number(int number) {
        return number(number, 0);
    }

    long number(int number, long otherwise) {
        int at = last(number);
        return at < 0 ? otherwise : values[at];
    }

    double real(int number) {
        return Double.longBitsToDouble(number(number));
    }

    float real32(int number) {
        return Float.intBitsToFloat((int) number(number));
    }

    @Nullable
    Bytes bytes(int number) {
        int at = last(number);
        return at < 0 ? null : bytes[at];
    }

    String text(int number) {
        Bytes found = bytes(number);
        return found == null ? "" : found.text();
    }

    @Nullable
    ProtoFields message(int number) {
        Bytes found = bytes(number);
        return found == null ? null : found.fields();
    }

    List<Bytes> all(int number) {
        List<Bytes> found = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            if (numbers[i] == number && bytes[i] != null) {
                found.add(bytes[i]);
            }
        }
        return found;
    }

    /** The values of a repeated number, packed or not. */
    long[] numbers(int number) {
        long[] found = new long[8];
        int count = 0;
        for (int i = 0; i < size; i++) {
            if (numbers[i] != number) {
                continue;
            }
            Bytes packed = bytes[i];
            if (packed == null) {
                found = put(found, count++, values[i]);
                continue;
            }
            int at = packed.from;
            while (at < packed.to) {
                long value = 0;
                for (int shift = 0; at < packed.to; shift += 7) {
                    byte b = packed.array[at++];
                    value |= (b & 0x7fL) << shift;
                    if (b >= 0) {
                        break;
                    }
                }
                found = put(found, count++, value);
            }
        }
        return Arrays.copyOf(found, count);
    }

    private static long[] put(long[] values, int index, long value) {
        long[] target = index == values.length ? Arrays.copyOf(values, index * 2) : values;
        target[index] = value;
        return target;
    }

    /** The number of values; {@link #numberAt} and {@link #valueAt} have them in order. */
    int size() {
        return size;
    }

    int numberAt(int index) {
        return numbers[index];
    }

    long valueAt(int index) {
        return values[index];
    }

    @Nullable
    Bytes bytesAt(int index) {
        return bytes[index];
    }
}
