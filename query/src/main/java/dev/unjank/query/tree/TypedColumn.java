package dev.unjank.query.tree;

/**
 * A column of a table, view or result.
 *
 * @param name as shown; compared case-insensitively
 * @param type its type
 */
public record TypedColumn(String name, SqlType type) {}
