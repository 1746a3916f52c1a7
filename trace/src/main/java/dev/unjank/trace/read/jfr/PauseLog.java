package dev.unjank.trace.read.jfr;

import dev.unjank.trace.TraceBuilder;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What stopped all threads: safepoints, and pauses of the garbage collector. Both are told in pieces. A safepoint begins in one
 * event and ends in another, and a third says what it was for; a pause says to which collection it belongs, and that says why
 * it was made. The pieces of one have a number in common.
 */
final class PauseLog {
    /** The line in a {@link SliceBuffer} of pauses for garbage collection. */
    static final int GC_PAUSES = -1;

    /** The line of safepoints. */
    static final int SAFEPOINTS = -2;

    /** The line of whole collections, most of which may not stop anybody. */
    static final int COLLECTIONS = -3;

    /** What collectors without a better name for their pauses write. */
    private static final String NAMELESS = "GC Pause";

    /** Pieces further apart belong to different machines that count alike. */
    private static final long LONGEST_NS = 600_000_000_000L;

    // Columns of safepoints and of pauses.
    private static final int NUMBER = 0;
    private static final int START = 1;
    private static final int END = 2;
    private static final int NAME = 3;

    /** Whether a piece of a safepoint says that it begins. */
    private static final int BEGINS = 4;

    private final Rows safepoints = new Rows(5);
    private final Rows pauses = new Rows(4);

    /** By number. */
    private final Map<Long, Collection> collections = new HashMap<>();

    private record Collection(String name, long startNs, long endNs, boolean isPause) {}

    private final TraceBuilder builder;

    PauseLog(TraceBuilder builder) {
        this.builder = builder;
    }

    /**
     * A piece of a safepoint.
     *
     * @param number of the safepoint
     * @param begins whether it begins here
     * @param operation what it is for, null if this piece does not say
     */
    void safepoint(long number, long startNs, long endNs, boolean begins, @Nullable String operation) {
        int name = operation == null ? -1 : builder.intern("safepoint: " + operation);
        safepoints.add(number, startNs, endNs, name, begins ? 1 : 0);
    }

    /** A collector stopped the program. */
    void pause(long collection, long startNs, long endNs, @Nullable String name) {
        int known = name == null || name.equals(NAMELESS) ? -1 : builder.intern("GC pause: " + name);
        pauses.add(collection, startNs, endNs, known);
    }

    /**
     * A collection.
     *
     * @param isPause whether it stopped the program for all of its time
     * @param name of the collector
     * @param cause why it was made
     */
    void collection(
            long number, long startNs, long endNs, boolean isPause, @Nullable String name, @Nullable String cause) {
        String text = (name == null ? "collection" : name) + (cause == null ? "" : " (" + cause + ")");
        collections.put(number, new Collection(text, startNs, endNs, isPause));
    }

    /** Makes slices of all. */
    void tell(SliceBuffer slices) {
        tellSafepoints(slices);
        Map<Long, Boolean> told = new HashMap<>();
        int gc = builder.intern("gc");
        for (int row = 0; row < pauses.size(); row++) {
            long number = pauses.get(row, NUMBER);
            told.put(number, true);
            int named = (int) pauses.get(row, NAME);
            Collection collection = collections.get(number);
            String name = collection == null ? NAMELESS : collection.name;
            int text = named >= 0 ? named : builder.intern("GC pause: " + name);
            slices.add(GC_PAUSES, pauses.get(row, START), pauses.get(row, END), text, gc);
        }
        collections.forEach((number, collection) -> {
            slices.add(COLLECTIONS, collection.startNs, collection.endNs, builder.intern("GC: " + collection.name), gc);
            if (collection.isPause && !told.containsKey(number)) {
                int text = builder.intern("GC pause: " + collection.name);
                slices.add(GC_PAUSES, collection.startNs, collection.endNs, text, gc);
            }
        });
    }

    private void tellSafepoints(SliceBuffer slices) {
        int category = builder.intern("safepoint");
        int nameless = builder.intern("safepoint: unknown operation");
        int[] order = safepoints.sorted(this::compare);
        int from = 0;
        while (from < order.length) {
            int first = order[from];
            long start = safepoints.get(first, START);
            long end = safepoints.get(first, END);
            int name = (int) safepoints.get(first, NAME);
            int to = from + 1;
            while (to < order.length && belongs(order[to], first)) {
                end = Math.max(end, safepoints.get(order[to], END));
                name = name >= 0 ? name : (int) safepoints.get(order[to], NAME);
                to++;
            }
            slices.add(SAFEPOINTS, start, end, name >= 0 ? name : nameless, category);
            from = to;
        }
    }

    private boolean belongs(int piece, int first) {
        return safepoints.get(piece, NUMBER) == safepoints.get(first, NUMBER)
                && safepoints.get(piece, BEGINS) == 0
                && safepoints.get(piece, START) - safepoints.get(first, START) < LONGEST_NS;
    }

    private int compare(int a, int b) {
        int byNumber = Long.compare(safepoints.get(a, NUMBER), safepoints.get(b, NUMBER));
        return byNumber != 0 ? byNumber : Long.compare(safepoints.get(a, START), safepoints.get(b, START));
    }
}
