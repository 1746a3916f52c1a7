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
        int ids = EventKind.ids(words[at]);
        if ((ids & EventKind.NAMES) != 0) {
            rename(words, at, ids);
        }
        if (!namesOnly) {
            words[at + EventKind.TIME] += shiftNs;
            renumber(words, at, ids);
        }
    }

    private void rename(long[] words, int at, int ids) {
        if ((ids & EventKind.NAME_IN_A) != 0) {
            words[at + EventKind.A] = renamed(words[at + EventKind.A]);
        }
        if ((ids & EventKind.NAME_IN_B) != 0) {
            words[at + EventKind.B] = renamed(words[at + EventKind.B]);
        }
        if ((ids & EventKind.NAME_IN_HEADER) != 0) {
            words[at] = IntPair.pack(name(EventKind.name(words[at])), IntPair.low(words[at]));
        }
    }

    private long renamed(long word) {
        return IntPair.pack(IntPair.high(word), name(IntPair.low(word)));
    }

    /** The new id of a string; -1 stays -1. */
    public int name(int id) {
        return id < 0 || this == NONE ? id : names[id];
    }

    private void renumber(long[] words, int at, int ids) {
        int high = ((ids & EventKind.TRACK_IN_A) != 0 ? rows.tracks : 0)
                + ((ids & EventKind.COUNTER_IN_A) != 0 ? rows.counters : 0)
                + ((ids & EventKind.FRAME_IN_A) != 0 ? rows.frames : 0);
        int low = ((ids & EventKind.MESSAGE_IN_A) != 0 ? rows.messages : 0)
                + ((ids & EventKind.ARGS_IN_A) != 0 ? rows.args : 0);
        if ((high | low) != 0) {
            long a = words[at + EventKind.A];
            words[at + EventKind.A] = IntPair.pack(IntPair.high(a) + high, IntPair.low(a) + low);
        }
        if ((ids & EventKind.CALL_IN_B) != 0) {
            long b = words[at + EventKind.B];
            int call = IntPair.high(b);
            words[at + EventKind.B] = IntPair.pack(call < 0 ? call : calls[call], IntPair.low(b));
        }
    }
}
