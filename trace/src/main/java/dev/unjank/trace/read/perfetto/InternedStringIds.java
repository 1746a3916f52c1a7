package dev.unjank.trace.read.perfetto;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Maps the numbers by which packets of a sequence refer to interned strings to string ids. Writers count from 1, so
 * an array is used; other numbers go into a map.
 */
final class InternedStringIds {
    static final int NONE = -1;

    private static final int IN_ARRAY = 1 << 14;

    private int[] ids = filled(16);
    private final Map<Long, Integer> others = new HashMap<>();
    private int size;

    void clear() {
        Arrays.fill(ids, NONE);
        others.clear();
        size = 0;
    }

    /** The number of entries. */
    int size() {
        return size;
    }

    void put(long number, int id) {
        if (get(number) == NONE) {
            size++;
        }
        if (number < 0 || number >= IN_ARRAY) {
            others.put(number, id);
            return;
        }
        if (number >= ids.length) {
            int from = ids.length;
            ids = Arrays.copyOf(ids, Integer.highestOneBit((int) number) * 2);
            Arrays.fill(ids, from, ids.length, NONE);
        }
        ids[(int) number] = id;
    }

    /** The string id of a number, {@link #NONE} if it is undefined. */
    int get(long number) {
        if (number >= 0 && number < ids.length) {
            return ids[(int) number];
        }
        return others.isEmpty() ? NONE : others.getOrDefault(number, NONE);
    }

    private static int[] filled(int length) {
        int[] ids = new int[length];
        Arrays.fill(ids, NONE);
        return ids;
    }
}
