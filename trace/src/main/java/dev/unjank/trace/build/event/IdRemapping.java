package dev.unjank.trace.build.event;

import dev.unjank.trace.collections.IntPair;

/**
 * The change of ids when the records of one builder are appended to another's: strings and calls get new ids, rows of
 * tracks, counters, frames and messages are shifted, and times too.
 */
public final class IdRemapping {
    /** Changes nothing. */
    public static final IdRemapping NONE = new IdRemapping(new int[0], new int[0], Rows.NONE, 0);

    private final int[] names;
    private final int[] calls;
    private final Rows rows;
    private final long shiftNs;
    private final boolean namesOnly;

    /** The number of rows before the first of these, by table. */
    public record Rows(int tracks, int counters, int frames, int messages, int args) {
        static final Rows NONE = new Rows(0, 0, 0, 0, 0);

        /** Not {@code equals(NONE)}: the JVM generates a record's equals at its first use, which takes milliseconds. */
        boolean isNone() {
            return (tracks | counters | frames | messages | args) == 0;
        }

        Rows plus(Rows other) {
            return new Rows(
                    tracks + other.tracks,
                    counters + other.counters,
                    frames + other.frames,
                    messages + other.messages,
                    args + other.args);
        }
    }

    public IdRemapping(int[] names, int[] calls, Rows rows, long shiftNs) {
        this.names = names;
        this.calls = calls;
        this.rows = rows;
        this.shiftNs = shiftNs;
        namesOnly = calls.length == 0 && rows.isNone() && shiftNs == 0;
    }

    /** Is added to the times of the events. */
    public long shiftNs() {
        return shiftNs;
    }

    /** This remapping followed by another. */
    IdRemapping andThen(IdRemapping next) {
        if (this == NONE) {
            return next;
        }
        return new IdRemapping(
                mapped(names, next.names), mapped(calls, next.calls), rows.plus(next.rows), shiftNs + next.shiftNs);
    }

    private static int[] mapped(int[] ids, int[] next) {
        int[] result = new int[ids.length];
        for (int i = 0; i < ids.length; i++) {
            result[i] = next[ids[i]];
        }
        return result;
    }

    /** Whether it only changes ids of strings, so that {@link #name} suffices. */
    boolean isStringsOnly() {
        return namesOnly;
    }

    /** Changes the records in an array. */
    void apply(long[] words, int used) {
        if (this != NONE) {
            for (int at = 0; at < used; at += EventKind.words(words[at])) {
                applyTo(words, at);
            }
        }
    }

    /** Changes a record. */
    void applyTo(long[] words, int at) {
        if (this == NONE) {
            return;
        }
        int where = EventKind.names(words[at]);
        if (where != 0) {
            rename(words, at, where);
        }
        if (!namesOnly) {
            words[at + 1] += shiftNs;
            renumber(words, at);
        }
    }

    private void rename(long[] words, int at, int where) {
        if ((where & EventKind.NAME_IN_A) != 0) {
            words[at + 2] = renamed(words[at + 2]);
        }
        if ((where & EventKind.NAME_IN_B) != 0) {
            words[at + 3] = renamed(words[at + 3]);
        }
        if ((where & EventKind.NAME_IN_HEADER) != 0) {
            int name = IntPair.high(words[at]);
            words[at] = IntPair.pack(name(name), IntPair.low(words[at]));
        }
    }

    private long renamed(long word) {
        return IntPair.pack(IntPair.high(word), name(IntPair.low(word)));
    }

    /** The new id of a string; -1 stays -1. */
    public int name(int id) {
        return id < 0 || this == NONE ? id : names[id];
    }

    private void renumber(long[] words, int at) {
        switch (EventKind.of(words[at])) {
            case EventKind.TRACK_BEGIN, EventKind.TRACK_END, EventKind.TRACK_INSTANT, EventKind.TRACK_FLOW ->
                words[at + 2] = plus(words[at + 2], rows.tracks, 0);
            case EventKind.TRACK_MESSAGE -> words[at + 2] = plus(words[at + 2], rows.tracks, rows.messages);
            case EventKind.TRACK_ARGS -> words[at + 2] = plus(words[at + 2], rows.tracks, rows.args);
            case EventKind.TRACK_COUNTER -> words[at + 2] = plus(words[at + 2], rows.counters, 0);
            case EventKind.FRAME -> words[at + 2] = plus(words[at + 2], rows.frames, 0);
            case EventKind.SAMPLE -> {
                int call = IntPair.high(words[at + 3]);
                words[at + 3] = IntPair.pack(call < 0 ? call : calls[call], IntPair.low(words[at + 3]));
            }
            default -> {}
        }
    }

    private static long plus(long pair, int high, int low) {
        return IntPair.pack(IntPair.high(pair) + high, IntPair.low(pair) + low);
    }
}
