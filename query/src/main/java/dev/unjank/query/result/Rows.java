package dev.unjank.query.result;

import java.math.BigInteger;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Result of a statement: a cursor that starts before the first row. Values have SQLite's types, so that results look
 * like Perfetto's: {@link Long} (also for booleans; {@link BigInteger} for integers of more than 64 bits), {@link
 * Double}, {@link String}, {@code byte[]}, or null. Values of any other type are converted to strings.
 *
 * <p>Not thread-safe. Valid until the engine runs the next statement.
 */
public interface Rows extends AutoCloseable {

    /** The type of a column. */
    enum Type {
        /** {@link Long}, or {@link BigInteger} for integers of more than 64 bits. */
        INTEGER,
        /** {@link Double}. */
        REAL,
        /** {@link String}, or also a number if the column has values of several types. */
        TEXT,
        /** {@code byte[]}. */
        BLOB
    }

    /**
     * A column.
     *
     * @param name as the statement names it
     * @param type the type of its values, any of which may be null
     */
    record Column(String name, Type type) {}

    /**
     * The columns.
     *
     * @return name and type of each, in order; empty if the statement has no result
     */
    List<Column> columns();

    /**
     * Advances to the next row.
     *
     * @return false after the last row
     * @throws QueryException if the statement fails or is interrupted
     */
    boolean next() throws QueryException;

    /**
     * A value of the current row.
     *
     * @param column its index, from 0
     * @return the value, of the column's type, or null
     * @throws QueryException if the value cannot be read
     */
    @Nullable
    Object get(int column) throws QueryException;

    /** Closes the statement; unread rows are discarded. */
    @Override
    void close();
}
