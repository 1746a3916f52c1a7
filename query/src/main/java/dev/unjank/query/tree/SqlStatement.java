package dev.unjank.query.tree;

import java.util.List;

/** A statement in DuckDB's SQL. Names are not quoted. */
public sealed interface SqlStatement {
    record Run(SqlQuery query) implements SqlStatement {}

    record CreateTable(String name, boolean replace, SqlQuery query) implements SqlStatement {}

    record CreateView(String name, SqlQuery query) implements SqlStatement {}

    record CreateEmptyTable(String name, List<TypedColumn> columns) implements SqlStatement {}

    record Insert(String table, List<String> columns, SqlQuery query) implements SqlStatement {}

    record Drop(boolean view, String name) implements SqlStatement {}

    /** Writes the rows of a query to a file. */
    record Copy(SqlQuery query, FileFormat format, String path) implements SqlStatement {}
}
