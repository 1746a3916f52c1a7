package dev.unjank.query.tree;

import dev.unjank.query.source.Token;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A query in DuckDB's SQL. Names are not quoted. */
public sealed interface SqlQuery {
    /** A SELECT; without items, it selects all columns. */
    record Select(
            boolean distinct,
            List<Item> items,
            @Nullable Source from,
            @Nullable Sql where,
            List<Sql> group,
            @Nullable Sql having)
            implements SqlQuery {
        public static Select of(List<Item> items, Source from) {
            return new Select(false, items, from, null, List.of(), null);
        }
    }

    /** VALUES, as a table with an alias and names of its columns. */
    record Values(List<List<Sql>> rows, String alias, List<String> columns) implements SqlQuery {}

    /** Queries combined from left to right. */
    record Combined(List<SqlQuery> arms, List<String> operators) implements SqlQuery {}

    /** A query with ORDER BY, LIMIT and OFFSET. */
    record Limited(
            SqlQuery query,
            List<Order> order,
            @Nullable Sql limit,
            @Nullable Sql offset) implements SqlQuery {}

    /** A query with common table expressions. */
    record With(boolean recursive, List<CommonTable> tables, SqlQuery query) implements SqlQuery {}

    /** {@code hint} is "", "MATERIALIZED" or "NOT MATERIALIZED". */
    record CommonTable(String name, String hint, SqlQuery query) {}

    /** A column of a result. */
    record Item(Sql value, String name) {}

    record Order(Sql by, boolean descending, boolean nullsFirst) {}

    /** An item of FROM. */
    sealed interface Source {}

    /** A table, view or common table expression. {@code at} is the token that names it; null in generated queries. */
    record Table(@Nullable Token at, String name, String alias) implements Source {}

    /** A file. */
    record File(FileFormat format, String path, String alias) implements Source {}

    /** A subquery; with names of its columns, unless they stay as they are. */
    record Nested(@Nullable Token at, boolean lateral, SqlQuery query, String alias, List<String> columns)
            implements Source {
        public static Nested of(SqlQuery query, String alias, List<String> columns) {
            return new Nested(null, false, query, alias, columns);
        }
    }

    /** {@code kind} is "CROSS", "INNER", "LEFT", "RIGHT" or "FULL"; {@code on} is null for CROSS. */
    record Join(
            String kind,
            Source left,
            Source right,
            @Nullable Sql on) implements Source {}
}
