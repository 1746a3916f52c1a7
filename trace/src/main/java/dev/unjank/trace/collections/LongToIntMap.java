package dev.unjank.trace.collections;

import java.util.Arrays;
import java.util.function.LongConsumer;

/**
 * A hash map from constant ids to positions, by open addressing, without objects. {@link #NONE} stands for a missing
 * id.
 */
public final class LongToIntMap {
    public static final long NONE = -1;

    private long[] keys = new long[64];
    private long[] values = none(64);
    private int size;

    public long get(long key) {
        return values[slot(key)];
    }

    public void forEachValue(LongConsumer taker) {
        for (long value : values) {
            if (value != NONE) {
                taker.accept(value);
            }
        }
    }

    public void forEachKey(LongConsumer taker) {
        for (int slot = 0; slot < values.length; slot++) {
            if (values[slot] != NONE) {
                taker.accept(keys[slot]);
            }
        }
    }

    public void put(long key, long value) {
        int slot = slot(key);
        if (values[slot] == NONE) {
            if (++size * 2 > values.length) {
                grow();
                slot = slot(key);
            }
            keys[slot] = key;
        }
        values[slot] = value;
    }

    private int slot(long key) {
        int mask = values.length - 1;
        int slot = hash(key) & mask;
        while (values[slot] != NONE && keys[slot] != key) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private void grow() {
        long[] oldKeys = keys;
        long[] oldValues = values;
        keys = new long[oldKeys.length * 2];
        values = none(oldValues.length * 2);
        for (int old = 0; old < oldValues.length; old++) {
            if (oldValues[old] != NONE) {
                int slot = slot(oldKeys[old]);
                keys[slot] = oldKeys[old];
                values[slot] = oldValues[old];
            }
        }
    }

    private static long[] none(int length) {
        long[] values = new long[length];
        Arrays.fill(values, NONE);
        return values;
    }

    /** Multiply and fold: constant ids are small and dense, or addresses. */
    private static int hash(long key) {
        long mixed = key * 0x9E3779B97F4A7C15L;
        return (int) (mixed >>> 32) ^ (int) (mixed >>> 58);
    }
}
