package dev.unjank.query.load;

import java.lang.foreign.Arena;
import java.sql.SQLException;
import org.apache.arrow.c.ArrowArrayStream;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;

/**
 * A way to load a {@link NativeTable} into the engine under a temporary name. The fast way depends on a detail of the
 * driver; the slow way uses public API only.
 */
public enum BulkLoad {
    /** An Arrow C stream: the engine reads the columns in place. */
    ARROW {
        @Override
        public void expose(DuckDBConnection connection, String name, NativeTable table, Arena arena) {
            ArrowStream stream = new ArrowStream(arena, table);
            connection.registerArrowStream(name, new ArrowArrayStream(stream.address()));
        }

        @Override
        public String dropStatement(String name) {
            return "DROP VIEW IF EXISTS " + name;
        }
    },

    /** Row by row through the driver's appender; about ten times slower. */
    APPENDER {
        @Override
        public void expose(DuckDBConnection connection, String name, NativeTable table, Arena arena)
                throws SQLException {
            AppenderLoad.create(connection, name, table);
            try (DuckDBAppender appender = connection.createAppender(DuckDBConnection.DEFAULT_SCHEMA, name)) {
                AppenderLoad.append(appender, table);
            }
        }

        @Override
        public String dropStatement(String name) {
            return "DROP TABLE IF EXISTS " + name;
        }
    };

    /**
     * Makes a table readable under a name for one statement. The arena must stay open until the statement has ended.
     */
    public abstract void expose(DuckDBConnection connection, String name, NativeTable table, Arena arena)
            throws SQLException;

    /** The statement that drops the name. */
    public abstract String dropStatement(String name);
}
