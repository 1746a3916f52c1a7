package dev.unjank.query.tables;

import dev.unjank.trace.model.Processes;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.Threads;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.processor.ProcessorTable;
import dev.unjank.trace.processor.ProcessorTables;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Ids of trace processor's tables for rows of the model. Both have the same threads, processes and slices but number them
 * differently. Without trace processor's tables, ids are the model's.
 */
final class ModelIds {
    private final Trace trace;
    private final @Nullable ProcessorTables tables;
    private final int[] utids;
    private final int[] upids;
    private @Nullable Map<SliceKey, Integer> sliceIds;

    /** A slice of a thread, by its start. */
    private record SliceKey(long utid, long ts, String name) {}

    ModelIds(Trace trace, @Nullable ProcessorTables tables) {
        this.trace = trace;
        this.tables = tables;
        Threads threads = trace.threads();
        Processes processes = trace.processes();
        utids = ids(threads.size(), threads::tid, tables == null ? null : tables.table("thread"));
        upids = ids(processes.size(), processes::pid, tables == null ? null : tables.table("process"));
    }

    /** For each row, the row of the table with the same number; the n-th for the n-th use of a number. */
    private static int[] ids(int size, IntToLongFunction number, @Nullable ProcessorTable table) {
        int[] ids = new int[size];
        Map<Long, List<Integer>> rows = new HashMap<>();
        for (int row = 0; table != null && row < table.rows(); row++) {
            rows.computeIfAbsent(table.get(row, 2), _ -> new ArrayList<>()).add(row);
        }
        Map<Long, Integer> uses = new HashMap<>();
        for (int row = 0; row < size; row++) {
            long key = number.applyAsLong(row);
            int use = uses.merge(key, 1, Integer::sum) - 1;
            List<Integer> same = rows.getOrDefault(key, List.of());
            ids[row] = table == null ? row : same.isEmpty() ? -1 : same.get(Math.min(use, same.size() - 1));
        }
        return ids;
    }

    /** Whether the ids are the model's. */
    boolean isModels() {
        return tables == null;
    }

    /** The utid of a thread of the model, -1 for none. */
    int utid(int utid) {
        return utid < 0 ? -1 : utids[utid];
    }

    /** The upid of a process of the model, -1 for none. */
    int upid(int upid) {
        return upid < 0 ? -1 : upids[upid];
    }

    /** The id of a thread's slice, -1 for none. */
    int slice(int row) {
        if (row < 0 || tables == null) {
            return row;
        }
        Map<SliceKey, Integer> known = sliceIds;
        if (known == null) {
            known = sliceIds(tables);
            sliceIds = known;
        }
        Slices slices = trace.slices();
        return known.getOrDefault(
                new SliceKey(utid(slices.utid(row)), slices.ts(row), String.valueOf(slices.name(row))), -1);
    }

    private static Map<SliceKey, Integer> sliceIds(ProcessorTables tables) {
        Map<SliceKey, Integer> ids = new HashMap<>();
        ProcessorTable slices = tables.table("slice");
        ProcessorTable tracks = tables.table("_track");
        if (slices == null || tracks == null) {
            return ids;
        }
        for (int row = 0; row < slices.rows(); row++) {
            long utid = tracks.get((int) slices.get(row, 3), ProcessorTables.TRACK_UTID);
            if (utid != ProcessorTable.NULL && slices.get(row, 5) != ProcessorTable.NULL) {
                ids.putIfAbsent(new SliceKey(utid, slices.get(row, 1), tables.string((int) slices.get(row, 5))), row);
            }
        }
        return ids;
    }

    /** The track of a thread's slice; {@code otherwise} is the model's. */
    int track(int slice, int otherwise) {
        ProcessorTable slices = tables == null ? null : tables.table("slice");
        int id = slice(slice);
        return slices == null || id < 0 ? otherwise : (int) slices.get(id, 3);
    }
}
