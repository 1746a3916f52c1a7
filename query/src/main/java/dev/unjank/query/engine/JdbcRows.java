package dev.unjank.query.engine;

import dev.unjank.query.result.QueryException;
import dev.unjank.query.result.Rows;
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

/** Rows of a JDBC result set. */
final class JdbcRows implements Rows {
    private final Statement statement;
    private final @Nullable ResultSet results;
    private final List<Column> columns;

    /**
     * Wraps a result set.
     *
     * @param results null for a statement without a result
     */
    JdbcRows(Statement statement, @Nullable ResultSet results) throws SQLException {
        this.statement = statement;
        this.results = results;
        this.columns = results == null ? List.of() : columns(results.getMetaData());
    }

    @Override
    public List<Column> columns() {
        return columns;
    }

    @Override
    public boolean next() throws QueryException {
        try {
            return results != null && results.next();
        } catch (SQLException e) {
            throw DuckDbErrors.translate(e, null);
        }
    }

    @Override
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

    @Override
    public void close() {
        try {
            statement.close();
        } catch (SQLException _) {
            // the rows have been read
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
