package dev.unjank.query.load;

import java.lang.foreign.Arena;
import java.sql.SQLException;
import org.apache.arrow.c.ArrowArrayStream;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;

/**
 * A way to hand a table over to the engine, under a name for the time that one statement needs to read it. There are two, for
 * the fast one rests on a detail of the driver: should a version of it no longer know that, the slow one still works.
 */
public enum BulkLoad {
    /** As an Arrow C stream: the engine reads the columns where they are. */
    ARROW {
        @Override
        public void expose(DuckDBConnection connection, String name, NativeTable table, Arena arena) {
            ArrowStream stream = new ArrowStream(arena, table);
            connection.registerArrowStream(name, new ArrowArrayStream(stream.address()));
        }

        @Override
        public String dropping(String name) {
            return "DROP VIEW IF EXISTS " + name;
        }
    },

    /** Row by row through the driver's appender, ten times slower. */
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
        public String dropping(String name) {
            return "DROP TABLE IF EXISTS " + name;
        }
    };

    /** Makes a table readable under a name, for one statement. The arena gives memory until that has ended. */
    public abstract void expose(DuckDBConnection connection, String name, NativeTable table, Arena arena)
            throws SQLException;

    /** The statement that takes the name back. */
    public abstract String dropping(String name);
}
