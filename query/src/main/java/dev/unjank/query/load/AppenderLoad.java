package dev.unjank.query.load;

import dev.unjank.query.load.NativeTable.Column;
import dev.unjank.query.print.SqlQuoting;
import java.lang.foreign.ValueLayout;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Collectors;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;

/** Loads a table row by row with the driver's appender. */
final class AppenderLoad {
    private AppenderLoad() {}

    static void create(DuckDBConnection connection, String name, NativeTable table) throws SQLException {
        String columns = table.columns().stream()
                .map(column -> SqlQuoting.name(column.name()) + " " + type(column))
                .collect(Collectors.joining(", "));
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE " + name + " (" + columns + ")");
        }
    }

    static void append(DuckDBAppender appender, NativeTable table) throws SQLException {
        List<Column> columns = table.columns();
        for (int row = 0; row < table.rows(); row++) {
            appender.beginRow();
            for (Column column : columns) {
                append(appender, column, row);
            }
            appender.endRow();
        }
    }

    private static void append(DuckDBAppender appender, Column column, int row) throws SQLException {
        switch (column.layout()) {
            case INT16 -> appender.append(column.data().getAtIndex(ValueLayout.JAVA_SHORT, row));
            case INT32 -> appender.append(column.data().getAtIndex(ValueLayout.JAVA_INT, row));
            case INT64 -> appender.append(column.data().getAtIndex(ValueLayout.JAVA_LONG, row));
            case DOUBLE -> appender.append(column.data().getAtIndex(ValueLayout.JAVA_DOUBLE, row));
            case STRING -> {
                StringDictionary dictionary = column.dictionary();
                int id = column.data().getAtIndex(ValueLayout.JAVA_INT, row);
                if (dictionary == null || id == dictionary.nullId()) {
                    appender.appendNull();
                } else {
                    appender.append(dictionary.get(id));
                }
            }
        }
    }

    private static String type(Column column) {
        return switch (column.layout()) {
            case INT16 -> "SMALLINT";
            case INT32 -> "INTEGER";
            case INT64 -> "BIGINT";
            case DOUBLE -> "DOUBLE";
            case STRING -> "VARCHAR";
        };
    }
}
