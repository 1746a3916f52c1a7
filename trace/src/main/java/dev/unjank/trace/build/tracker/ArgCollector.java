package dev.unjank.trace.build.tracker;

import dev.unjank.trace.build.event.IdRemapping;
import dev.unjank.trace.collections.IntList;
import dev.unjank.trace.collections.LongList;
import dev.unjank.trace.collections.StableSort;
import dev.unjank.trace.model.Args;
import dev.unjank.trace.model.IntColumn;
import dev.unjank.trace.model.LongColumn;
import dev.unjank.trace.model.ShortColumn;
import dev.unjank.trace.model.Strings;

/** Collects the args of slices before it is known which slices are kept. */
public final class ArgCollector {
    private final IntList keys = new IntList();
    private final IntList types = new IntList();
    private final LongList values = new LongList();

    public int size() {
        return keys.size();
    }

    public int add(int key, Args.Type type, long value) {
        keys.add(key);
        types.add(type.code());
        values.add(value);
        return keys.size() - 1;
    }

    /** Appends the rows of another collector. */
    public void append(ArgCollector other, IdRemapping numbers) {
        for (int row = 0; row < other.size(); row++) {
            Args.Type type = Args.Type.of(other.types.get(row));
            long value = other.values.get(row);
            add(numbers.name(other.keys.get(row)), type, type.isText() ? numbers.name((int) value) : value);
        }
    }

    /** The table in order of slices. */
    public Args args(Strings strings, SliceDetails notes) {
        long[] slices = notes.slicesOfArgs();
        int[] rows = notes.args();
        int[] order = StableSort.sort(slices);
        int[] sliceOf = new int[rows.length];
        int[] key = new int[rows.length];
        short[] type = new short[rows.length];
        long[] value = new long[rows.length];
        for (int i = 0; i < rows.length; i++) {
            int row = rows[order[i]];
            sliceOf[i] = (int) slices[i];
            key[i] = keys.get(row);
            type[i] = (short) types.get(row);
            value[i] = values.get(row);
        }
        return new Args(
                strings,
                new Args.Columns(IntColumn.of(sliceOf), IntColumn.of(key), ShortColumn.of(type), LongColumn.of(value)));
    }
}
