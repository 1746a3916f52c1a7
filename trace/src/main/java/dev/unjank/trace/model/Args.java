package dev.unjank.trace.model;

import dev.unjank.trace.collections.BinarySearch;
import org.jspecify.annotations.Nullable;

/**
 * The args of slices: keys and values that the trace records in addition to names. The args of a slice are adjacent,
 * in recorded order, and ordered by slice. Keys of nested values contain dots and brackets, as in Perfetto's {@code
 * args} table.
 */
public final class Args {
    private final Strings strings;
    private final Columns columns;

    /** The type of a value. */
    public enum Type {
        /** A signed integer. */
        INT("int"),
        /** An unsigned integer. */
        UINT("uint"),
        /** A floating-point number. */
        REAL("real"),
        /** A boolean. */
        BOOL("bool"),
        /** An address. */
        POINTER("pointer"),
        /** A string. */
        TEXT("string"),
        /** A string that contains JSON. */
        JSON("json");

        private static final Type[] VALUES = values();

        private final String text;

        Type(String text) {
            this.text = text;
        }

        /**
         * Perfetto's name of the type.
         *
         * @return the name
         */
        public String text() {
            return text;
        }

        /**
         * The number of the type in {@link Columns#type}.
         *
         * @return the ordinal
         */
        @SuppressWarnings("EnumOrdinal")
        public int code() {
            return ordinal();
        }

        /**
         * Whether the value is the id of a string.
         *
         * @return true for {@link #TEXT} and {@link #JSON}
         */
        public boolean isText() {
            return this == TEXT || this == JSON;
        }

        /**
         * The type of a number.
         *
         * @param code from {@link #code}
         * @return the type
         */
        public static Type of(int code) {
            return VALUES[code];
        }
    }

    /**
     * The columns of this table.
     *
     * @param slice rows of {@link Slices}
     * @param key string ids of the keys
     * @param type the ordinals of {@link Type}
     * @param value the values: integers as they are, true as 1, the bits of floating-point numbers, ids of strings
     */
    public record Columns(IntColumn slice, IntColumn key, ShortColumn type, LongColumn value) {}

    /**
     * Creates the table from its columns, in the order of {@link Slices}.
     *
     * @param strings the strings of the trace
     * @param columns the columns
     */
    public Args(Strings strings, Columns columns) {
        this.strings = strings;
        this.columns = columns;
    }

    /**
     * The number of rows.
     *
     * @return the count
     */
    public int size() {
        return columns.key.size();
    }

    /**
     * The columns of this table, for reading many rows at once.
     *
     * @return the columns, all of {@link #size} rows
     */
    public Columns columns() {
        return columns;
    }

    /**
     * The first arg of a slice.
     *
     * @param slice a row of {@link Slices}
     * @return the first row of it, or of the next slice that has args
     */
    public int first(int slice) {
        return BinarySearch.first(0, size(), row -> columns.slice.get(row) >= slice);
    }

    /**
     * The end of a slice's args.
     *
     * @param slice a row of {@link Slices}
     * @return one past its last row
     */
    public int end(int slice) {
        return first(slice + 1);
    }

    /**
     * The value of a slice's arg, as an integer.
     *
     * @param slice a row of {@link Slices}
     * @param key the key
     * @param otherwise the default
     * @return the value, or the default if there is no such arg
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
     * The value of a slice's arg, as a string.
     *
     * @param slice a row of {@link Slices}
     * @param key the key
     * @return the string, null if there is no such arg
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
     * The slice of an arg.
     *
     * @param row a row
     * @return the row in {@link Slices}
     */
    public int slice(int row) {
        return columns.slice.get(row);
    }

    /**
     * The key of an arg.
     *
     * @param row a row
     * @return the key
     */
    public String key(int row) {
        return strings.get(columns.key.get(row));
    }

    /**
     * The type of an arg's value.
     *
     * @param row a row
     * @return the type
     */
    public Type type(int row) {
        return Type.of(columns.type.get(row));
    }

    /**
     * The value of an arg.
     *
     * @param row a row
     * @return the value, as in {@link Columns#value}
     */
    public long value(int row) {
        return columns.value.get(row);
    }

    /**
     * The value of an arg, if it is a string.
     *
     * @param row a row
     * @return the string, null for other types
     */
    public @Nullable String text(int row) {
        return type(row).isText() ? strings.get((int) value(row)) : null;
    }
}
