package dev.unjank.fleet.task;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rows with a name.
 *
 * @param name what they are together, a word
 * @param columns in order
 * @param rows for each row a value for each column: {@link Long}, {@link Double}, {@link String} or null
 */
public record ResultTable(String name, List<ResultColumn> columns, List<@Nullable Object[]> rows) {}
