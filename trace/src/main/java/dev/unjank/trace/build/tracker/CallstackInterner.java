package dev.unjank.trace.build.tracker;

import dev.unjank.trace.collections.IntList;
import dev.unjank.trace.collections.IntPair;
import dev.unjank.trace.collections.IntPairMap;
import dev.unjank.trace.model.Callstacks;
import dev.unjank.trace.model.IntColumn;
import dev.unjank.trace.model.Strings;

/** Interns calls: equal calls with the same caller are one row. */
public final class CallstackInterner {
    private static final int[] NO_ROWS = {};

    private final IntList parents = new IntList();
    private final IntList names = new IntList();
    private final IntList files = new IntList();
    private final IntList lines = new IntList();
    private final IntPairMap places = new IntPairMap();
    private final IntPairMap calls = new IntPairMap();

    int size() {
        return parents.size();
    }

    public int add(int parent, int name, int file, int line) {
        int function = places.get(IntPair.pack(name, file), -1);
        if (function < 0) {
            function = parents.size(); // the first row represents the function
            places.put(IntPair.pack(name, file), -1, function);
        }
        long place = IntPair.pack(function, line);
        int row = calls.get(place, parent);
        if (row < 0) {
            row = parents.size();
            calls.put(place, parent, row);
            parents.add(parent);
            names.add(name);
            files.add(file);
            lines.add(line);
        }
        return row;
    }

    /** Adds the calls of another table and returns the new row of each of its rows. */
    public int[] append(CallstackInterner other, int[] names) {
        int[] rows = new int[other.size()];
        for (int row = 0; row < rows.length; row++) {
            int parent = other.parents.get(row);
            int file = other.files.get(row);
            rows[row] = add(
                    parent < 0 ? -1 : rows[parent],
                    names[other.names.get(row)],
                    file < 0 ? -1 : names[file],
                    other.lines.get(row));
        }
        return rows;
    }

    public Callstacks callstacks(Strings strings) {
        return new Callstacks(
                strings, new Callstacks.Columns(column(parents), column(names), column(files), column(lines)));
    }

    private static IntColumn column(IntList log) {
        return IntColumn.of(log.size() == 0 ? NO_ROWS : log.toArray());
    }
}
