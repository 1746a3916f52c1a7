package dev.unjank.trace.model;

import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The distinct strings of a trace. Tables refer to them by id; an id is smaller than {@link #size()}, so an array can
 * hold results per string. Strings are stored as UTF-8 and decoded on first access.
 */
public final class Strings {
    private final IntFunction<String> decoder;

    /** Benign race: two threads may both decode a string; either result is valid (a String's fields are final). */
    private final @Nullable String[] decoded;

    /**
     * Creates the table.
     *
     * @param size the number of strings
     * @param decoder decodes the string of an id
     */
    public Strings(int size, IntFunction<String> decoder) {
        this.decoder = decoder;
        this.decoded = new @Nullable String[size];
    }

    /** {@return the number of strings; ids run from 0} */
    public int size() {
        return decoded.length;
    }

    /**
     * {@return the string of an id}
     *
     * @param id from a table, not -1
     */
    public String get(int id) {
        String text = decoded[id];
        if (text == null) {
            text = decoder.apply(id);
            decoded[id] = text;
        }
        return text;
    }

    /**
     * {@return the string of an id, null for -1}
     *
     * @param id from a table, or -1
     */
    public @Nullable String getOrNull(int id) {
        return id < 0 ? null : get(id);
    }
}
