package dev.unjank.query.graph;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows for slices that overlap: each slice, in order of start, gets the first row that is free. */
final class SliceLayout {
    private SliceLayout() {}

    /**
     * The row of the last slice.
     *
     * @param slices rows of start and duration; a negative duration does not end
     */
    static @Nullable String ofLast(String slices, String unused) {
        List<Long> ends = new ArrayList<>();
        int row = -1;
        for (long[] slice : Graph.rows(slices)) {
            long end = slice[1] < 0 ? Long.MAX_VALUE : slice[0] + slice[1];
            row = 0;
            while (row < ends.size() && ends.get(row) > slice[0]) {
                row++;
            }
            if (row == ends.size()) {
                ends.add(end);
            } else {
                ends.set(row, end);
            }
        }
        return row < 0 ? null : Integer.toString(row);
    }
}
