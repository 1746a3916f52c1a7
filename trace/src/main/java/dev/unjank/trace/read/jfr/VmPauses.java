package dev.unjank.trace.read.jfr;

import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.collections.LongRows;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Collects pauses of all threads: safepoints, and GC pauses. Both are recorded in pieces. The events of a safepoint
 * are: its begin, all threads stopped, its end, and its operation with the calling thread. A pause refers to its
 * collection, which contains the cause. The pieces share an id.
 */
final class VmPauses {
    /** The line of GC pauses in a {@link SliceBuffer}. */
    static final int GC_PAUSES = -1;

    /** The line of safepoints. */
    static final int SAFEPOINTS = -2;

    /** The line of whole collections, which may be concurrent. */
    static final int COLLECTIONS = -3;

    /** The name of pauses in collectors without specific names. */
    private static final String NAMELESS = "GC Pause";

    /** Pieces further apart belong to different JVMs with equal ids. */
    private static final long MAX_PAUSE_NS = 600_000_000_000L;

    // Columns of safepoints and of pauses.
    private static final int NUMBER = 0;
    private static final int START = 1;
    private static final int END = 2;
    private static final int NAME = 3;

    /** The kind of a piece of a safepoint. */
    private static final int PIECE = 4;

    /** The thread that requested a safepoint. */
    private static final int CALLER = 5;

    private final LongRows safepoints = new LongRows(6);
    private final LongRows pauses = new LongRows(4);
    private final LongRows phases = new LongRows(3);

    /** By id. */
    private final Map<Long, Collection> collections = new HashMap<>();

    /** The number of each operation. */
    private final Map<String, Integer> operations = new LinkedHashMap<>();

    private record Collection(String name, long startNs, long endNs, boolean isPause) {}

    /** A piece of a safepoint. */
    enum Piece {
        /** Its begin; the event may last until all threads have stopped. */
        BEGIN(0),
        /** The time until all threads had stopped. */
        REACHING(1),
        END(2),
        OPERATION(3);

        private final int code;

        Piece(int code) {
            this.code = code;
        }
    }

    private final TraceBuilder builder;

    VmPauses(TraceBuilder builder) {
        this.builder = builder;
    }

    /** Adds a piece of the safepoint with an id. */
    void safepoint(long number, long startNs, long endNs, Piece piece) {
        safepoints.add(number, startNs, endNs, -1, piece.code, JfrThreads.NONE);
    }

    /** Adds the operation of a safepoint. */
    void operation(long number, long startNs, long endNs, String operation, int caller) {
        int name = operations.computeIfAbsent(operation, _ -> operations.size());
        safepoints.add(number, startNs, endNs, name, Piece.OPERATION.code, caller);
    }

    void phase(long startNs, long endNs, @Nullable String name) {
        if (name != null && !name.isEmpty()) {
            phases.add(startNs, endNs, builder.intern(name));
        }
    }

    /** Adds a GC pause. */
    void pause(long collection, long startNs, long endNs, @Nullable String name) {
        int known = name == null || name.equals(NAMELESS) ? -1 : builder.intern("GC pause: " + name);
        pauses.add(collection, startNs, endNs, known);
    }

    void collection(
            long number, long startNs, long endNs, boolean isPause, @Nullable String name, @Nullable String cause) {
        String text = (name == null ? "collection" : name) + (cause == null ? "" : " (" + cause + ")");
        collections.put(number, new Collection(text, startNs, endNs, isPause));
    }

    void emitTo(SliceBuffer slices, JfrThreads threads) {
        emitSafepoints(slices, threads);
        Map<Long, Boolean> emitted = new HashMap<>();
        int gc = builder.intern("gc");
        for (int row = 0; row < pauses.size(); row++) {
            long number = pauses.get(row, NUMBER);
            emitted.put(number, true);
            int named = (int) pauses.get(row, NAME);
            Collection collection = collections.get(number);
            String name = collection == null ? NAMELESS : collection.name;
            int text = named >= 0 ? named : builder.intern("GC pause: " + name);
            slices.add(GC_PAUSES, pauses.get(row, START), pauses.get(row, END), text, gc);
        }
        collections.forEach((number, collection) -> {
            slices.add(
                    COLLECTIONS,
                    collection.startNs,
                    collection.endNs,
                    builder.intern(JfrChunks.COLLECTION + collection.name),
                    gc);
            if (collection.isPause && !emitted.containsKey(number)) {
                int text = builder.intern("GC pause: " + collection.name);
                slices.add(GC_PAUSES, collection.startNs, collection.endNs, text, gc);
            }
        });
        for (int row = 0;
                row < phases.size();
                row++) { // after the pauses: one that is as long as its pause is nested in it
            slices.add(GC_PAUSES, phases.get(row, 0), phases.get(row, 1), (int) phases.get(row, 2), gc);
        }
    }

    private void emitSafepoints(SliceBuffer slices, JfrThreads threads) {
        int category = builder.intern("safepoint");
        List<String> names = new ArrayList<>(operations.keySet());
        int reaching = builder.intern("reaching the safepoint");
        int[] order = safepoints.sorted(this::compare);
        int from = 0;
        while (from < order.length) {
            int first = order[from];
            long start = safepoints.get(first, START);
            long end = start;
            long reached = start;
            int named = -1;
            int to = from;
            while (to < order.length && (to == from || belongs(order[to], first))) {
                int piece = order[to];
                long pieceEnd = safepoints.get(piece, END);
                end = Math.max(end, pieceEnd);
                if (isPiece(piece, Piece.REACHING) || (reached == start && isPiece(piece, Piece.BEGIN))) {
                    reached = pieceEnd;
                }
                named = named < 0 && isPiece(piece, Piece.OPERATION) ? piece : named;
                to++;
            }
            slices.add(SAFEPOINTS, start, end, builder.intern(safepointName(named, names, threads)), category);
            if (reached > start) {
                slices.add(SAFEPOINTS, start, reached, reaching, category);
            }
            from = to;
        }
    }

    private String safepointName(int row, List<String> names, JfrThreads threads) {
        if (row < 0) {
            return "safepoint: unknown operation";
        }
        int caller = (int) safepoints.get(row, CALLER);
        return "safepoint: " + names.get((int) safepoints.get(row, NAME))
                + (caller == JfrThreads.NONE ? "" : " by " + threads.name(caller) + " (" + threads.tid(caller) + ")");
    }

    private boolean isPiece(int row, Piece piece) {
        return safepoints.get(row, PIECE) == piece.code;
    }

    private boolean belongs(int piece, int first) {
        return safepoints.get(piece, NUMBER) == safepoints.get(first, NUMBER)
                && !isPiece(piece, Piece.BEGIN)
                && safepoints.get(piece, START) - safepoints.get(first, START) < MAX_PAUSE_NS;
    }

    private int compare(int a, int b) {
        int byNumber = Long.compare(safepoints.get(a, NUMBER), safepoints.get(b, NUMBER));
        return byNumber != 0 ? byNumber : Long.compare(safepoints.get(a, START), safepoints.get(b, START));
    }
}
