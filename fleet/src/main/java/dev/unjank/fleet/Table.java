package dev.unjank.fleet;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rows with a name.
 *
 * @param name what they are together, a word
 * @param columns in order
 * @param rows for each row a value for each column: {@link Long}, {@link Double}, {@link String} or null
 */
public record Table(String name, List<Column> columns, List<@Nullable Object[]> rows) {}
