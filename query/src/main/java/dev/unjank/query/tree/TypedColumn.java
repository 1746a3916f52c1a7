package dev.unjank.query.tree;

/**
 * A column of a table, a view or a result.
 *
 * @param name as it is shown; compared without regard to case
 * @param type what it holds
 */
public record TypedColumn(String name, SqlType type) {}
