package dev.unjank.query.tree;

import java.util.List;

/**
 * A query in the engine's SQL.
 *
 * @param sql its text, without parentheses around it
 * @param columns what it gives
 * @param affinity whether its only column imposes its type on what it is compared with, {@link TypedExpr#affinity}
 */
public record TypedQuery(String sql, List<TypedColumn> columns, boolean affinity) {}
