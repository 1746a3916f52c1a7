package dev.unjank.query.tree;

import java.util.List;

/**
 * A query in DuckDB's SQL with typed columns.
 *
 * @param query its tree
 * @param columns its columns
 * @param affinity whether its only column has an affinity, {@link TypedExpr#affinity}
 */
public record TypedQuery(SqlQuery query, List<TypedColumn> columns, boolean affinity) {}
