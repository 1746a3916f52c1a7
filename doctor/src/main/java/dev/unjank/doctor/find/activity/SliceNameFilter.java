package dev.unjank.doctor.find.activity;

import dev.unjank.trace.model.IntColumn;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.Trace;
import java.util.Arrays;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A test of slices by their names that looks at each distinct name once, and finds the slices that pass without looking at the
 * others. For any number of threads.
 */
public final class SliceNameFilter {
    private static final int[] NONE = {};
    private static final int ROWS_AT_ONCE = 1 << 10;

    private final Slices slices;

    /** By the id of a name. */
    private final boolean[] passes;

    /** All slices that pass, ascending; null until asked for. Two threads may both find them. */
    private volatile int @Nullable [] rows;

    public SliceNameFilter(Trace trace, Predicate<String> test) {
        this(trace.slices(), new boolean[trace.strings().size()]);
        for (int id = 0; id < passes.length; id++) {
            passes[id] = test.test(trace.strings().get(id));
        }
    }

    /** A test that the names of some ids pass. */
    public SliceNameFilter(Slices slices, boolean[] passes) {
        this.slices = slices;
        this.passes = passes;
    }

    /**
     * {@return whether the name of a slice passes}
     */
    public boolean test(int row) {
        return passes[slices.nameId(row)];
    }

    /**
     * {@return the first slice of [from, to) that passes, {@code to} if there is none}
     */
    public int next(int from, int to) {
        int[] found = rows;
        if (found == null) {
            found = find();
            rows = found;
        }
        int at = Arrays.binarySearch(found, from);
        int next = at < 0 ? ~at : at;
        return next < found.length ? Math.min(found[next], to) : to;
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
