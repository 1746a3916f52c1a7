package dev.unjank.query.result;

import dev.unjank.query.engine.DuckDbErrors;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Blob;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a statement answered: a cursor that stands before the first row. Values have the types that SQLite knows, so that
 * results look the same as Perfetto's: {@link Long} (also for true and false; {@link BigInteger} for what does not fit),
 * {@link Double}, {@link String}, {@code byte[]}, or null. Anything richer is its text.
 *
 * <p>Not thread-safe, and valid until the engine runs the next statement.
 */
public final class Rows implements AutoCloseable {

    /** The type of a column. */
    public enum Type {
        /** {@link Long}, or {@link BigInteger} where a value needs it. */
        INTEGER,
        /** {@link Double}. */
        REAL,
        /** {@link String}. */
        TEXT,
        /** {@code byte[]}. */
        BLOB
    }

    /**
     * A column.
     *
     * @param name as the statement names it
     * @param type of its values, any of which may be null
     */
    public record Column(String name, Type type) {}

    private final Statement statement;
    private final @Nullable ResultSet results;
    private final List<Column> columns;

    /** With the results of a statement, null for one that answers nothing. */
    public Rows(Statement statement, @Nullable ResultSet results) throws SQLException {
        this.statement = statement;
        this.results = results;
        this.columns = results == null ? List.of() : columns(results.getMetaData());
    }

    /**
     * The columns.
     *
     * @return name and type of each, in order; empty if the statement answers nothing
     */
    public List<Column> columns() {
        return columns;
    }

    /**
     * Goes to the next row.
     *
     * @return false if there is none
     * @throws QueryException if the statement fails here, or is interrupted
     */
    public boolean next() throws QueryException {
        try {
            return results != null && results.next();
        } catch (SQLException e) {
            throw DuckDbErrors.translate(e, null);
        }
    }

    /**
     * A value of the current row.
     *
     * @param column its index, from 0
     * @return the value, of the column's type, or null
     * @throws QueryException if it cannot be had
     */
    public @Nullable Object get(int column) throws QueryException {
        if (results == null) {
            throw new IndexOutOfBoundsException(column);
        }
        try {
            Object value = results.getObject(column + 1);
            return value == null ? null : plain(value);
        } catch (SQLException e) {
            throw DuckDbErrors.translate(e, null);
        }
    }

    /** Ends the statement, whether or not all rows were read. */
    @Override
    public void close() {
        try {
            statement.close();
        } catch (SQLException _) {
            // nothing can be done about it, and nothing depends on it
        }
    }

    private static Object plain(Object value) throws SQLException {
        return switch (value) {
            case Long l -> l;
            case String s -> s;
            case Integer i -> (long) i;
            case Double d -> d;
            case Boolean b -> b ? 1L : 0L;
            case BigInteger i -> i.bitLength() < Long.SIZE ? (Object) i.longValue() : i;
            case Short s -> (long) s;
            case Byte b -> (long) b;
            case Float f -> (double) f;
            case BigDecimal d -> d.doubleValue();
            case Blob b -> b.getBytes(1, Math.toIntExact(b.length()));
            default -> value.toString();
        };
    }

    private static List<Column> columns(ResultSetMetaData meta) throws SQLException {
        List<Column> columns = new ArrayList<>();
        for (int i = 1; i <= meta.getColumnCount(); i++) {
            columns.add(new Column(meta.getColumnLabel(i), type(meta.getColumnType(i), meta.getColumnTypeName(i))));
        }
        return List.copyOf(columns);
    }

    private static Type type(int sqlType, String name) {
        return switch (sqlType) {
            case Types.BOOLEAN, Types.TINYINT, Types.SMALLINT, Types.INTEGER, Types.BIGINT -> Type.INTEGER;
            case Types.FLOAT, Types.REAL, Types.DOUBLE, Types.DECIMAL -> Type.REAL;
            case Types.BLOB -> Type.BLOB;
            default ->
                name.endsWith("HUGEINT") || (name.startsWith("U") && name.endsWith("INT")) ? Type.INTEGER : Type.TEXT;
        };
    }
}
