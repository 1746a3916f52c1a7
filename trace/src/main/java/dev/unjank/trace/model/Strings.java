package dev.unjank.trace.model;

import dev.unjank.trace.collections.StringPool;
import org.jspecify.annotations.Nullable;

/**
 * The distinct strings of a trace. Tables refer to them by id; an id is smaller than {@link #size()}, so an array can
 * hold results per string. Strings are stored as UTF-8 and decoded on first access.
 */
public final class Strings {
    private final StringPool pool;

    /** Benign race: two threads may both decode a string; either result is valid (a String's fields are final). */
    private final @Nullable String[] decoded;

    /**
     * Creates the table.
     *
     * @param pool the UTF-8 bytes of all strings, by id
     */
    public Strings(StringPool pool) {
        this.pool = pool;
        this.decoded = new @Nullable String[pool.size()];
    }

    /**
     * The number of strings; ids run from 0.
     *
     * @return the count
     */
    public int size() {
        return decoded.length;
    }

    /**
     * The string of an id.
     *
     * @param id from a table, not -1
     * @return the string
     */
    public String get(int id) {
        String text = decoded[id];
        if (text == null) {
            text = pool.decode(id);
            decoded[id] = text;
        }
        return text;
    }

    /**
     * The string of an id, null for none.
     *
     * @param id from a table, or -1
     * @return the string, null for -1
     */
    public @Nullable String getOrNull(int id) {
        return id < 0 ? null : get(id);
    }
}
