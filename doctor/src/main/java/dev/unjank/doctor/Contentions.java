package dev.unjank.doctor;

import dev.unjank.trace.Slices;
import dev.unjank.trace.Trace;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The lock contention slices of a trace. Each distinct name is read once. Not thread-safe. */
final class Contentions {
    private final Slices slices;
    private final boolean[] seen;
    private final @Nullable Contention[] byName;
    private final Map<Integer, int[]> outermost = new HashMap<>();

    Contentions(Trace trace) {
        slices = trace.slices();
        seen = new boolean[trace.strings().size()];
        byName = new @Nullable Contention[seen.length];
    }

    /**
     * {@return what the name of a slice says, null if it is no contention}
     */
    @Nullable
    Contention of(int row) {
        int name = slices.nameId(row);
        if (!seen[name]) {
            seen[name] = true;
            byName[name] = ContentionParser.parse(slices.name(row));
        }
        return byName[name];
    }

    /** As {@link #of} where the row is known to be a contention. */
    Contention get(int row) {
        Contention contention = of(row);
        if (contention == null) {
            throw new IllegalArgumentException("slice " + row + " is no contention");
        }
        return contention;
    }

    /**
     * {@return the rows of a thread's contention slices that are not within another contention slice, ascending in time; they
     * do not overlap and are not empty}
     */
    int[] outermost(int utid) {
        return outermost.computeIfAbsent(utid, this::findOutermost);
    }

    /**
     * {@return the index in {@code rows}, an answer of {@link #outermost}, of the first slice that ends after a moment}
     */
    int firstEndingAfter(int[] rows, long ts) {
        int low = 0;
        int high = rows.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (slices.endNs(rows[middle]) <= ts) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private int[] findOutermost(int utid) {
        int[] rows = new int[8];
        int count = 0;
        long end = Long.MIN_VALUE;
        for (int row = slices.first(utid); row < slices.end(utid); row++) {
            if (slices.ts(row) >= end && slices.dur(row) > 0 && of(row) != null) {
                if (count == rows.length) {
                    rows = Arrays.copyOf(rows, count * 2);
                }
                rows[count++] = row;
                end = slices.endNs(row);
            }
        }
        return Arrays.copyOf(rows, count);
    }
}
