package dev.unjank.trace.read.jfr;

import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.collections.LongRows;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Allocation stalls: allocations that had to wait for a garbage collection. The JVM records when a thread finds that
 * it needs a collection, and the id of that collection. Usually the collection starts at once, and its pause covers
 * the wait. If it does not start, because the JVM waits for threads to leave JNI critical sections, the thread waits
 * meanwhile, and so does every other thread that allocates.
 *
 * <p>In Java 17 the id may be that of a failed attempt during a critical section: the thread then waits for the next
 * recorded collection.
 */
final class AllocationStalls {
    /** The name of the wait, as in Android's runtime. */
    static final String WAIT = "GC: Wait For Start Alloc";

    /** The longest normal delay before a collection starts. */
    static final long MAX_START_DELAY_NS = 1_000_000;

    // Columns.
    private static final int THREAD = 0;
    private static final int AT = 1;
    private static final int COLLECTION = 2;

    private final LongRows allocations = new LongRows(3);

    /** The start of each collection, by its ascending id. */
    private final NavigableMap<Long, Long> begun = new TreeMap<>();

    /** A thread needs the collection with an id. */
    void needs(int thread, long ns, long collection) {
        allocations.add(thread, ns, collection);
    }

    /** A collection, or a pause of one, starts. */
    void begins(long collection, long ns) {
        begun.merge(collection, ns, Math::min);
    }

    /** Adds a slice for each wait; it is open if the recording does not contain the collection. */
    void emitTo(SliceBuffer slices, TraceBuilder builder) {
        int name = builder.intern(WAIT);
        int category = builder.intern("gc");
        for (int row = 0; row < allocations.size(); row++) {
            long from = allocations.get(row, AT);
            Map.Entry<Long, Long> next = begun.ceilingEntry(allocations.get(row, COLLECTION));
            if (next == null) {
                slices.add((int) allocations.get(row, THREAD), from, SliceBuffer.OPEN, name, category);
            } else if (next.getValue() - from >= MAX_START_DELAY_NS) {
                slices.add((int) allocations.get(row, THREAD), from, next.getValue(), name, category);
            }
        }
    }
}
