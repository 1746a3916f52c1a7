package dev.unjank.query.tree;

import java.util.List;

/**
 * A query in DuckDB's SQL with typed columns.
 *
 * @param sql its text, without parentheses
 * @param columns its columns
 * @param affinity whether its only column has an affinity, {@link TypedExpr#affinity}
 */
public record TypedQuery(String sql, List<TypedColumn> columns, boolean affinity) {}
