package dev.unjank.trace.collections;

import java.util.Arrays;

/**
 * A map from a tid or pid to a row. Linux uses numbers below 2^22, which index an array; other numbers, from damaged
 * traces, go into a hash table.
 */
public final class TidMap {
    private static final int ORDINARY = 1 << 22;

    private int[] rows = filled(1 << 13);
    private final IntPairMap others = new IntPairMap();

    public int get(int tid) {
        if (tid >= 0 && tid < rows.length) {
            return rows[tid];
        }
        return tid >= 0 && tid < ORDINARY ? IntPairMap.NONE : others.get(tid, 0);
    }

    public void put(int tid, int row) {
        if (tid < 0 || tid >= ORDINARY) {
            others.put(tid, 0, row);
            return;
        }
        if (tid >= rows.length) {
            int from = rows.length;
            rows = Arrays.copyOf(rows, Integer.highestOneBit(tid) * 2);
            Arrays.fill(rows, from, rows.length, IntPairMap.NONE);
        }
        rows[tid] = row;
    }

    private static int[] filled(int length) {
        int[] rows = new int[length];
        Arrays.fill(rows, IntPairMap.NONE);
        return rows;
    }
}
