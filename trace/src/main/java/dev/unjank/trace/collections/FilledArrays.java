package dev.unjank.trace.collections;

import java.util.Arrays;

/** Arrays whose unused elements have a value other than 0. */
public final class FilledArrays {
    private FilledArrays() {}

    public static int[] of(int length, int value) {
        int[] array = new int[length];
        Arrays.fill(array, value);
        return array;
    }

    /** A longer copy of an array; the added elements have the given value. */
    public static int[] grown(int[] array, int length, int value) {
        int[] longer = Arrays.copyOf(array, length);
        Arrays.fill(longer, array.length, length, value);
        return longer;
    }
}
