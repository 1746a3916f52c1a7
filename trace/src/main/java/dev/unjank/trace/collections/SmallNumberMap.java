package dev.unjank.trace.collections;

import java.util.Arrays;

/**
 * A map from numbers, mostly small ones, to rows or ids: numbers below a limit index an array, others go into a hash
 * table. {@link IntPairMap#NONE} stands for a missing number.
 */
public final class SmallNumberMap {
    private static final int FIRST_LENGTH = 16;

    private final int limit;
    private final int mostEntries;
    private int[] values = FilledArrays.of(FIRST_LENGTH, IntPairMap.NONE);
    private IntPairMap others = new IntPairMap();
    private int size;

    /**
     * An empty map with an array for numbers below a limit. It ignores what is put after the given number of entries.
     */
    public SmallNumberMap(int limit, int mostEntries) {
        this.limit = limit;
        this.mostEntries = mostEntries;
    }

    public void clear() {
        Arrays.fill(values, IntPairMap.NONE);
        others = new IntPairMap();
        size = 0;
    }

    public int get(long number) {
        if (number >= 0 && number < values.length) {
            return values[(int) number];
        }
        return number >= 0 && number < limit ? IntPairMap.NONE : others.get(number, 0);
    }

    public void put(long number, int value) {
        if (size == mostEntries) {
            return;
        }
        if (get(number) == IntPairMap.NONE) {
            size++;
        }
        if (number < 0 || number >= limit) {
            others.put(number, 0, value);
            return;
        }
        if (number >= values.length) {
            values = FilledArrays.grown(values, Integer.highestOneBit((int) number) * 2, IntPairMap.NONE);
        }
        values[(int) number] = value;
    }
}
