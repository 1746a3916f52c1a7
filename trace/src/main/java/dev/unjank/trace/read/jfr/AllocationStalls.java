package dev.unjank.trace.read.jfr;

import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.collections.LongRows;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Allocations that needed a collection first. The machine notes when a thread finds that it has to have one, and which one that will
 * be. Usually it begins at once, and the pause tells all; where it does not, since the machine waits for threads to leave their
 * JNI critical sections, the thread waits as long, and so does every other one that allocates.
 *
 * <p>In Java 17 a number may be that of an attempt which came to nothing, since such a section went on: what the thread waits for is then
 * the next collection that there is.
 */
final class AllocationStalls {
    /** What the wait is called, as Android's runtime calls its own. */
    static final String WAIT = "GC: Wait For Start Alloc";

    /** So quickly a collection begins that nothing keeps from beginning. */
    static final long AT_ONCE_NS = 1_000_000;

    // Columns.
    private static final int THREAD = 0;
    private static final int AT = 1;
    private static final int COLLECTION = 2;

    private final LongRows allocations = new LongRows(3);

    /** When each collection began, by their numbers, which grow. */
    private final NavigableMap<Long, Long> begun = new TreeMap<>();

    /** A thread needs a collection with a number. */
    void needs(int thread, long ns, long collection) {
        allocations.add(thread, ns, collection);
    }

    /** A collection, or a pause of one, began. */
    void begins(long collection, long ns) {
        begun.merge(collection, ns, Math::min);
    }

    /** Makes slices of the waits; one for a collection that the recording does not have is not over. */
    void emitTo(SliceBuffer slices, TraceBuilder builder) {
        int name = builder.intern(WAIT);
        int category = builder.intern("gc");
        for (int row = 0; row < allocations.size(); row++) {
            long from = allocations.get(row, AT);
            Map.Entry<Long, Long> next = begun.ceilingEntry(allocations.get(row, COLLECTION));
            if (next == null) {
                slices.add((int) allocations.get(row, THREAD), from, SliceBuffer.OPEN, name, category);
            } else if (next.getValue() - from >= AT_ONCE_NS) {
                slices.add((int) allocations.get(row, THREAD), from, next.getValue(), name, category);
            }
        }
    }
}
