package dev.unjank.trace.model;

import java.util.Arrays;
import java.util.function.IntConsumer;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the slices whose names pass a test. It tests each distinct name once, and visits matching slices without a look
 * at the others. Thread-safe.
 */
public final class SliceNameFilter {
    private static final int[] NONE = {};
    private static final int ROWS_AT_ONCE = 1 << 10;

    private final Slices slices;

    /** By the id of a name. */
    private final boolean[] matching;

    /** All matching slices, ascending; null until first used. Two threads may both compute them. */
    private volatile int @Nullable [] rows;

    /**
     * Tests the names of a trace.
     *
     * @param trace the trace
     * @param test the test of a name
     */
    public SliceNameFilter(Trace trace, Predicate<String> test) {
        this(trace.slices(), new boolean[trace.strings().size()]);
        for (int id = 0; id < matching.length; id++) {
            matching[id] = test.test(trace.strings().get(id));
        }
    }

    /**
     * A filter by the ids of names.
     *
     * @param slices the slices
     * @param matching whether a name matches, by its id in the trace's strings
     */
    public SliceNameFilter(Slices slices, boolean[] matching) {
        this.slices = slices;
        this.matching = matching;
    }

    /**
     * {@return whether the name of a slice matches}
     *
     * @param row a slice
     */
    public boolean test(int row) {
        return matching[slices.nameId(row)];
    }

    /** {@return all matching slices, ascending} */
    public IntStream rows() {
        return Arrays.stream(all());
    }

    /**
     * {@return the first matching slice of [from, to), {@code to} if there is none}
     *
     * @param from a slice
     * @param to a slice, or the number of slices
     */
    public int next(int from, int to) {
        int[] found = all();
        int at = indexAt(found, from);
        return at < found.length ? Math.min(found[at], to) : to;
    }

    /**
     * Visits the matching slices of a thread, in order.
     *
     * @param utid the thread
     * @param visitor takes each slice
     */
    public void forEachOf(int utid, IntConsumer visitor) {
        forEach(slices.first(utid), slices.end(utid), visitor);
    }

    /**
     * Visits the matching asynchronous slices, in order.
     *
     * @param visitor takes each slice
     */
    public void forEachAsync(IntConsumer visitor) {
        forEach(slices.firstAsync(), slices.size(), visitor);
    }

    private void forEach(int from, int to, IntConsumer visitor) {
        int[] found = all();
        for (int at = indexAt(found, from); at < found.length && found[at] < to; at++) {
            visitor.accept(found[at]);
        }
    }

    private static int indexAt(int[] found, int from) {
        int at = Arrays.binarySearch(found, from);
        return at < 0 ? ~at : at;
    }

    private int[] all() {
        int[] found = rows;
        if (found == null) {
            found = find();
            rows = found;
        }
        return found;
    }

    private int[] find() {
        boolean any = false;
        for (boolean matches : matching) {
            any |= matches;
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
                if (matching[read[i]]) {
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
