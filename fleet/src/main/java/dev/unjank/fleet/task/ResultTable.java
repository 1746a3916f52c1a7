package dev.unjank.fleet.task;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A table of result rows.
 *
 * @param columns in order
 * @param rows one value per column for each row: {@link Long}, {@link Double}, {@link String} or null
 */
public record ResultTable(String name, List<ResultColumn> columns, List<@Nullable Object[]> rows) {}
