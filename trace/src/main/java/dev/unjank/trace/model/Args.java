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

        /** {@return Perfetto's name of the type} */
        public String text() {
            return text;
        }

        /** {@return the number of the type in {@link Columns#type}} */
        @SuppressWarnings("EnumOrdinal")
        public int code() {
            return ordinal();
        }

        /** {@return whether the value is the id of a string: true for {@link #TEXT} and {@link #JSON}} */
        public boolean isText() {
            return this == TEXT || this == JSON;
        }

        /**
         * {@return the type with a number from {@link #code}}
         *
         * @param code from {@link #code}
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

    /** {@return the number of rows} */
    public int size() {
        return columns.key.size();
    }

    /** {@return the columns of this table, all of {@link #size} rows, for reading many rows at once} */
    public Columns columns() {
        return columns;
    }

    /**
     * {@return the first row of a slice, or of the next slice that has args}
     *
     * @param slice a row of {@link Slices}
     */
    public int first(int slice) {
        return BinarySearch.first(0, size(), row -> columns.slice.get(row) >= slice);
    }

    /**
     * {@return one past the last row of a slice}
     *
     * @param slice a row of {@link Slices}
     */
    public int end(int slice) {
        return first(slice + 1);
    }

    /**
     * {@return the value of a slice's arg as an integer, or the default if there is no such arg}
     *
     * @param slice a row of {@link Slices}
     * @param key the key
     * @param otherwise the default
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
     * {@return the value of a slice's arg as a string, null if there is no such arg}
     *
     * @param slice a row of {@link Slices}
     * @param key the key
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
     * {@return the slice of an arg, a row of {@link Slices}}
     *
     * @param row a row
     */
    public int slice(int row) {
        return columns.slice.get(row);
    }

    /**
     * {@return the key of an arg}
     *
     * @param row a row
     */
    public String key(int row) {
        return strings.get(columns.key.get(row));
    }

    /**
     * {@return the type of an arg's value}
     *
     * @param row a row
     */
    public Type type(int row) {
        return Type.of(columns.type.get(row));
    }

    /**
     * {@return the value of an arg, as in {@link Columns#value}}
     *
     * @param row a row
     */
    public long value(int row) {
        return columns.value.get(row);
    }

    /**
     * {@return the value of an arg if it is a string, null for other types}
     *
     * @param row a row
     */
    public @Nullable String text(int row) {
        return type(row).isText() ? strings.get((int) value(row)) : null;
    }
}
