package dev.unjank.query.load;

import dev.unjank.query.print.SqlQuoting;
import dev.unjank.query.result.Rows;
import dev.unjank.query.result.Rows.Column;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Definition of a table or view that is loaded on demand: columns as Perfetto documents them, and their rows. Columns
 * without data are NULL.
 *
 * @param name in lower case
 * @param columns in order
 * @param sources suppliers of the rows, in order
 * @param view a query over other tables, for a view; null for a table
 */
public record TableDefinition(
        String name,
        List<Column> columns,
        List<RowSource> sources,
        @Nullable String view) {

    /** Supplies rows in native memory. */
    @FunctionalInterface
    public interface RowSource {
        NativeTable rows(Arena arena);
    }

    /** A table; columns are written as {@code "id INT, name TEXT"}. */
    public static TableDefinition table(String name, String columns, RowSource... sources) {
        return new TableDefinition(name, parse(columns), List.of(sources), null);
    }

    /** A view. */
    public static TableDefinition view(String name, String columns, String query) {
        return new TableDefinition(name, parse(columns), List.of(), query);
    }

    /** The columns to store: those that any part has values for. */
    public List<Column> stored(List<NativeTable> parts) {
        return columns.stream()
                .filter(column -> parts.stream().anyMatch(part -> part.column(column.name()) != null))
                .toList();
    }

    /** Select list that converts loaded rows to the stored columns. */
    public String projection(List<Column> stored, NativeTable rows) {
        return stored.stream().map(column -> projection(column, rows)).collect(Collectors.joining(", "));
    }

    /** Select list that completes the stored columns: aliases of stored columns, and NULL for columns without data. */
    public String completion(List<Column> stored, List<NativeTable> parts) {
        return columns.stream()
                .map(column -> stored.contains(column)
                        ? SqlQuoting.name(column.name())
                        : original(column, parts) + "::" + engineType(column.type()) + " AS "
                                + SqlQuoting.name(column.name()))
                .collect(Collectors.joining(", "));
    }

    private static String original(Column column, List<NativeTable> parts) {
        for (NativeTable part : parts) {
            String original = part.original(column.name());
            if (original != null) {
                return SqlQuoting.name(original);
            }
        }
        return "NULL";
    }

    private static String projection(Column column, NativeTable rows) {
        String name = SqlQuoting.name(column.name());
        NativeTable.Column source = rows.column(column.name());
        return nullableValue(source, name) + "::" + engineType(column.type()) + " AS " + name;
    }

    private static String nullableValue(NativeTable.@Nullable Column source, String name) {
        if (source == null) {
            return "NULL";
        }
        if (source.layout() == NativeTable.Layout.DOUBLE) {
            return "nullif(" + name + ", 'nan'::DOUBLE)";
        }
        return source.nullValue() == null ? name : "nullif(" + name + ", " + source.nullValue() + ")";
    }

    /** DuckDB's name of a type. */
    static String engineType(Rows.Type type) {
        return switch (type) {
            case INTEGER -> "BIGINT";
            case REAL -> "DOUBLE";
            case TEXT -> "VARCHAR";
            case BLOB -> "BLOB";
        };
    }

    private static List<Column> parse(String text) {
        List<Column> columns = new ArrayList<>();
        for (String column : text.split(",", -1)) {
            String[] words = column.strip().split("\\s+", -1);
            Rows.Type type = switch (words[1]) {
                case "INT" -> Rows.Type.INTEGER;
                case "REAL" -> Rows.Type.REAL;
                case "TEXT" -> Rows.Type.TEXT;
                default -> throw new IllegalArgumentException(column);
            };
            columns.add(new Column(words[0], type));
        }
        return List.copyOf(columns);
    }
}
