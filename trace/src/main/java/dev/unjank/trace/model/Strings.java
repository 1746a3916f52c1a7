package dev.unjank.trace.model;

import dev.unjank.trace.collections.StringPool;
import org.jspecify.annotations.Nullable;

/**
 * Every distinct text of a trace, once. Tables hold ids; an id is smaller than {@link #size()}, so what is worked out per
 * text fits into an array. Texts are kept as UTF-8 and turned into a {@link String} when first asked for.
 */
public final class Strings {
    private final StringPool pool;

    /** Benign race: two threads may both decode a text, and either result will do (a String's fields are final). */
    private final @Nullable String[] decoded;

    public Strings(StringPool pool) {
        this.pool = pool;
        this.decoded = new @Nullable String[pool.size()];
    }

    /**
     * How many texts there are; ids run from 0.
     *
     * @return the count
     */
    public int size() {
        return decoded.length;
    }

    /**
     * The text of an id.
     *
     * @param id from a table, not -1
     * @return the text
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
     * The text of an id, or null for none.
     *
     * @param id from a table, or -1
     * @return the text, or null for -1
     */
    public @Nullable String getOrNull(int id) {
        return id < 0 ? null : get(id);
    }
}
