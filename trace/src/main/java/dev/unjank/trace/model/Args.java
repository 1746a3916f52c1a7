package dev.unjank.trace.model;

import dev.unjank.trace.collections.BinarySearch;
import org.jspecify.annotations.Nullable;

/**
 * What is told of slices beside their names: a key and a value each, of a slice as many as were told. The rows of a slice lie
 * together, in the order in which they were told, and slices are in order. What was nested has keys with dots and brackets in
 * them, as Perfetto's {@code args} table has.
 */
public final class Args {
    private final Strings strings;
    private final Columns columns;

    /** What a value is. */
    public enum Type {
        /** A whole number. */
        INT("int"),
        /** A whole number without a sign. */
        UINT("uint"),
        /** A number with a fraction. */
        REAL("real"),
        /** True or false. */
        BOOL("bool"),
        /** An address. */
        POINTER("pointer"),
        /** A text. */
        TEXT("string"),
        /** A text in JSON. */
        JSON("json");

        private static final Type[] VALUES = values();

        private final String text;

        Type(String text) {
            this.text = text;
        }

        /**
         * The name that Perfetto has for it.
         *
         * @return the name
         */
        public String text() {
            return text;
        }

        /** A number for packing, which is in {@link Columns#type}. */
        @SuppressWarnings("EnumOrdinal")
        public int code() {
            return ordinal();
        }

        /** Whether the value is the id of a text. */
        public boolean isText() {
            return this == TEXT || this == JSON;
        }

        public static Type of(int code) {
            return VALUES[code];
        }
    }

    /**
     * The columns of this table.
     *
     * @param slice the rows of the slices that are told of
     * @param key ids of the keys
     * @param type the places of the types in {@link Type}'s order
     * @param value the values: whole numbers as they are, true as 1, the bits of numbers with a fraction, ids of texts
     */
    public record Columns(IntColumn slice, IntColumn key, ShortColumn type, LongColumn value) {}

    public Args(Strings strings, Columns columns) {
        this.strings = strings;
        this.columns = columns;
    }

    /**
     * How many rows there are.
     *
     * @return the count
     */
    public int size() {
        return columns.key.size();
    }

    /**
     * The columns of this table, for those who read many rows at once.
     *
     * @return the columns, all of {@link #size} rows
     */
    public Columns columns() {
        return columns;
    }

    /**
     * Where the rows of a slice begin.
     *
     * @param slice a row of {@link Slices}
     * @return the first row of it, or of the next slice that has any
     */
    public int first(int slice) {
        return BinarySearch.first(0, size(), row -> columns.slice.get(row) >= slice);
    }

    /**
     * Where the rows of a slice end.
     *
     * @param slice a row of {@link Slices}
     * @return one past its last row
     */
    public int end(int slice) {
        return first(slice + 1);
    }

    /**
     * The value that a slice has for a key, as a whole number.
     *
     * @param slice a row of {@link Slices}
     * @param key the key
     * @param otherwise what comes out if there is none
     * @return the value
     */
    public long number(int slice, String key, long otherwise) {
        for (int row = first(slice); row < size() && slice(row) == slice; row++) {
            if (key(row).equals(key)) {
                return value(row);
            }
        }
        return otherwise;
    }

    /**
     * The text that a slice has for a key.
     *
     * @param slice a row of {@link Slices}
     * @param key the key
     * @return the text, null if there is none
     */
    public @Nullable String text(int slice, String key) {
        for (int row = first(slice); row < size() && slice(row) == slice; row++) {
            if (key(row).equals(key)) {
                return text(row);
            }
        }
        return null;
    }

    /**
     * Of which slice a row tells.
     *
     * @param row a row
     * @return the row in {@link Slices}
     */
    public int slice(int row) {
        return columns.slice.get(row);
    }

    /**
     * What a row tells.
     *
     * @param row a row
     * @return the key
     */
    public String key(int row) {
        return strings.get(columns.key.get(row));
    }

    /**
     * What the value is.
     *
     * @param row a row
     * @return its type
     */
    public Type type(int row) {
        return Type.of(columns.type.get(row));
    }

    /**
     * The value.
     *
     * @param row a row
     * @return as {@link Columns#value} has it
     */
    public long value(int row) {
        return columns.value.get(row);
    }

    /**
     * The value, if it is a text.
     *
     * @param row a row
     * @return the text, null for other types
     */
    public @Nullable String text(int row) {
        return type(row).isText() ? strings.get((int) value(row)) : null;
    }
}
