package dev.unjank.trace.read.perfetto;

import dev.unjank.trace.proto.ProtoReader;
import java.util.Arrays;

/** The numbers of a field that may occur more than once. */
final class RepeatedNumbers {
    /** Nobody writes more; what is more is not kept. */
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

    /** Takes a reader's current field, unless it is packed, which nobody writes here. */
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
