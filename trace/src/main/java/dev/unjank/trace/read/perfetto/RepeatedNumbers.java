package dev.unjank.trace.read.perfetto;

import dev.unjank.trace.proto.ProtoReader;
import java.util.Arrays;

/** The values of a repeated numeric field. */
final class RepeatedNumbers {
    /** The limit of values, for damaged traces. */
    private static final int MAX = 64;

    private long[] numbers = new long[4];
    private int size;

    void clear() {
        size = 0;
    }

    int size() {
        return size;
    }

    long get(int index) {
        return numbers[index];
    }

    /** Adds a reader's current field, unless it is packed, which does not occur here. */
    void add(ProtoReader field) {
        if (!field.isBytes() && size < MAX) {
            if (size == numbers.length) {
                numbers = Arrays.copyOf(numbers, size * 2);
            }
            numbers[size++] = field.value();
        }
    }

    long[] toArray() {
        return Arrays.copyOf(numbers, size);
    }
}
