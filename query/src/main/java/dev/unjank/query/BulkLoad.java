package dev.unjank.query;

import java.lang.foreign.Arena;
import java.sql.SQLException;
import org.apache.arrow.c.ArrowArrayStream;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;

/**
 * A way to hand a table over to the engine, under a name for the time that one statement needs to read it. There are two, for
 * the fast one rests on a detail of the driver: should a version of it no longer know that, the slow one still works.
 */
enum BulkLoad {
    /** As an Arrow C stream: the engine reads the columns where they are. */
    ARROW {
        @Override
        void expose(DuckDBConnection connection, String name, NativeTable table, Arena arena) {
            ArrowStream stream = new ArrowStream(arena, table);
            connection.registerArrowStream(name, new ArrowArrayStream(stream.address()));
        }

        @Override
        String dropping(String name) {
            return "DROP VIEW IF EXISTS " + name;
        }
    },

    /** Row by row through the driver's appender, ten times slower. */
    APPENDER {
        @Override
        void expose(DuckDBConnection connection, String name, NativeTable table, Arena arena) throws SQLException {
            RowByRow.create(connection, name, table);
            try (DuckDBAppender appender = connection.createAppender(DuckDBConnection.DEFAULT_SCHEMA, name)) {
                RowByRow.append(appender, table);
            }
        }

        @Override
        String dropping(String name) {
            return "DROP TABLE IF EXISTS " + name;
        }
    };

    /** Makes a table readable under a name, for one statement. The arena gives memory until that has ended. */
    abstract void expose(DuckDBConnection connection, String name, NativeTable table, Arena arena) throws SQLException;

    /** The statement that takes the name back. */
    abstract String dropping(String name);
}
