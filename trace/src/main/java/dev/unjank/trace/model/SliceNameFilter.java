package dev.unjank.trace.model;

import java.util.Arrays;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Finds slices by a predicate on their names. Each distinct name is tested once, when the filter is created; the rows are searched
 * at the first call of {@link #next} or {@link #rows}. Thread-safe.
 */
public final class SliceNameFilter {
    private static final int[] NONE = {};
    private static final int ROWS_AT_ONCE = 1 << 10;

    private final Slices slices;

    /** By the id of a name. */
    private final boolean[] passes;

    /** All slices that pass, ascending; null before the first use. Two threads may both compute them. */
    private volatile int @Nullable [] rows;

    /**
     * Creates a filter of all slices of a trace.
     *
     * @param trace the trace
     * @param test accepts a slice's name
     */
    public SliceNameFilter(Trace trace, Predicate<String> test) {
        this(trace.slices(), new boolean[trace.strings().size()]);
        for (int id = 0; id < passes.length; id++) {
            passes[id] = test.test(trace.strings().get(id));
        }
    }

    /**
     * Creates a filter from tested names.
     *
     * @param slices the slices of a trace
     * @param passes for each id of a string of that trace whether it passes as a name; not copied
     */
    public SliceNameFilter(Slices slices, boolean[] passes) {
        this.slices = slices;
        this.passes = passes;
    }

    /**
     * Tests one slice.
     *
     * @param row its row
     * @return whether its name passes
     */
    public boolean test(int row) {
        return passes[slices.nameId(row)];
    }

    /**
     * Finds the first slice in a range.
     *
     * @param from the first row
     * @param to the row behind the last one
     * @return the first row of {@code [from, to)} that passes, {@code to} if there is none
     */
    public int next(int from, int to) {
        int[] found = found();
        int at = Arrays.binarySearch(found, from);
        int next = at < 0 ? ~at : at;
        return next < found.length ? Math.min(found[next], to) : to;
    }

    /**
     * All slices that pass.
     *
     * @return their rows, ascending
     */
    public IntStream rows() {
        return Arrays.stream(found());
    }

    private int[] found() {
        int[] found = rows;
        if (found == null) {
            found = find();
            rows = found;
        }
        return found;
    }

    private int[] find() {
        boolean any = false;
        for (boolean passing : passes) {
            any |= passing;
        }
        if (!any) {
            return NONE;
        }
        IntColumn names = slices.columns().name();
        int[] read = new int[Math.min(ROWS_AT_ONCE, names.size())];
        int[] found = new int[16];
        int count = 0;
        for (int first = 0; first < names.size(); first += read.length) {
            int length = names.read(first, read);
            for (int i = 0; i < length; i++) {
                if (passes[read[i]]) {
                    if (count == found.length) {
                        found = Arrays.copyOf(found, count * 2);
                    }
                    found[count++] = first + i;
                }
            }
        }
        return Arrays.copyOf(found, count);
    }
}
