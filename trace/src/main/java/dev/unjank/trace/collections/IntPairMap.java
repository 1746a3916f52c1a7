package dev.unjank.trace.collections;

/**
 * A hash map from a pair of numbers to a row, by open addressing, without objects. {@link #NONE} stands for a missing
 * pair; putting it removes the pair. Other values must not be negative.
 */
public final class IntPairMap {
    public static final int NONE = -1;

    /**
     * Marks a slot that was never used. A removed pair keeps its slot, so that lookups of other pairs continue past
     * it.
     */
    private static final int EMPTY = Integer.MIN_VALUE;

    private long[] keys = new long[2 * 64];
    private int[] values = FilledArrays.of(64, EMPTY);
    private int size;

    public int get(long first, long second) {
        int value = values[slot(first, second)];
        return value == EMPTY ? NONE : value;
    }

    public void put(long first, long second, int value) {
        int slot = slot(first, second);
        if (values[slot] == EMPTY) {
            if (++size * 2 > values.length) {
                grow();
                slot = slot(first, second);
            }
            keys[2 * slot] = first;
            keys[2 * slot + 1] = second;
        }
        values[slot] = value;
    }

    private int slot(long first, long second) {
        int mask = values.length - 1;
        int slot = hash(first, second) & mask;
        while (values[slot] != EMPTY && (keys[2 * slot] != first || keys[2 * slot + 1] != second)) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private void grow() {
        long[] oldKeys = keys;
        int[] oldValues = values;
        keys = new long[oldKeys.length * 2];
        values = FilledArrays.of(oldValues.length * 2, EMPTY);
        for (int old = 0; old < oldValues.length; old++) {
            if (oldValues[old] != EMPTY) {
                int slot = slot(oldKeys[2 * old], oldKeys[2 * old + 1]);
                keys[2 * slot] = oldKeys[2 * old];
                keys[2 * slot + 1] = oldKeys[2 * old + 1];
                values[slot] = oldValues[old];
            }
        }
    }

    /** Two rounds of multiply and fold, so that neighbouring numbers spread over the table. */
    private static int hash(long first, long second) {
        long mixed = (first ^ Long.rotateLeft(second * 0x9E3779B97F4A7C15L, 32)) * 0xBF58476D1CE4E5B9L;
        mixed ^= mixed >>> 32;
        mixed *= 0x94D049BB133111EBL;
        return (int) (mixed >>> 32);
    }
}
