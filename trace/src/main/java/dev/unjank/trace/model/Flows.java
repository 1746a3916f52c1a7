package dev.unjank.trace.model;

import dev.unjank.trace.collections.BinarySearch;
import dev.unjank.trace.collections.IntPair;
import dev.unjank.trace.collections.StableSort;

/**
 * Flows: arrows from a slice to another that it caused, such as from the sending of a message to its dispatch. The
 * arrows into a slice are adjacent, {@link #first} to {@link #end}.
 */
public final class Flows {
    /** The id of a flow that no program numbered. */
    public static final long NO_ID = Long.MIN_VALUE;

    private final Columns columns;
    private final IntColumn ins;

    /**
     * The columns of arrows.
     *
     * @param out the slices where they start
     * @param in the slices where they end, ascending
     * @param id the flows that they belong to, {@link #NO_ID} for those of the kernel's binder driver
     */
    public record Columns(IntColumn out, IntColumn in, LongColumn id) {}

    private Flows(Columns columns) {
        this.columns = columns;
        ins = columns.in;
    }

    /**
     * {@return a table of arrows in any order}
     *
     * @param outs for each arrow the slice where it starts, a row of {@link Slices}
     * @param ins the slices where they end
     * @param ids the flows that they belong to
     */
    public static Flows sorted(int[] outs, int[] ins, long[] ids) {
        long[] keys = new long[ins.length];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = IntPair.pack(ins[i], outs[i]);
        }
        int[] order = StableSort.sort(keys);
        long[] sortedIds = new long[keys.length];
        int[] sortedOuts = new int[keys.length];
        int[] sortedIns = new int[keys.length];
        for (int i = 0; i < keys.length; i++) {
            sortedIns[i] = IntPair.high(keys[i]);
            sortedOuts[i] = IntPair.low(keys[i]);
            sortedIds[i] = ids[order[i]];
        }
        return new Flows(new Columns(IntColumn.of(sortedOuts), IntColumn.of(sortedIns), LongColumn.of(sortedIds)));
    }

    /** {@return the number of arrows} */
    public int size() {
        return ins.size();
    }

    /** {@return the columns of this table, all of {@link #size} rows, for reading many rows at once} */
    public Columns columns() {
        return columns;
    }

    /**
     * {@return the slice where an arrow starts, a row of {@link Slices}}
     *
     * @param row a row
     */
    public int out(int row) {
        return columns.out.get(row);
    }

    /**
     * {@return the slice where an arrow ends, a row of {@link Slices}; never the same as {@link #out}}
     *
     * @param row a row
     */
    public int in(int row) {
        return ins.get(row);
    }

    /**
     * {@return the first arrow that leads to a slice; equal to {@link #end} if there is none}
     *
     * @param slice a row of {@link Slices}
     */
    public int first(int slice) {
        return BinarySearch.first(0, size(), row -> ins.get(row) >= slice);
    }

    /**
     * {@return one past the last arrow that leads to a slice}
     *
     * @param slice a row of {@link Slices}
     */
    public int end(int slice) {
        return first(slice + 1);
    }
}
