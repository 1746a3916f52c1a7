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
 * A table that the engine can load when a statement names it: columns as Perfetto documents them, and where the rows come
 * from. A column that the rows lack is NULL throughout.
 *
 * @param name in lower case
 * @param columns in order
 * @param parts writes the rows, possibly in several parts, one after another
 * @param view a query over other tables, for a definition without rows of its own; else null
 */
public record TableDefinition(
        String name,
        List<Column> columns,
        List<Part> parts,
        @Nullable String view) {

    /** Writes rows into native memory. */
    @FunctionalInterface
    public interface Part {
        NativeTable rows(Arena arena);
    }

    /** A table with rows; the columns are written as {@code "id INT, name TEXT"}. */
    public static TableDefinition table(String name, String columns, Part... parts) {
        return new TableDefinition(name, parse(columns), List.of(parts), null);
    }

    /** A view over other tables. */
    public static TableDefinition view(String name, String columns, String query) {
        return new TableDefinition(name, parse(columns), List.of(), query);
    }

    /** The columns that the engine has to keep: those of which any part has values of its own. */
    public List<Column> stored(List<NativeTable> parts) {
        return columns.stream()
                .filter(column -> parts.stream().anyMatch(part -> part.column(column.name()) != null))
                .toList();
    }

    /** What to select of the rows, as they lie in memory, so that the stored columns become what they promise. */
    public String projection(List<Column> stored, NativeTable rows) {
        return stored.stream().map(column -> projection(column, rows)).collect(Collectors.joining(", "));
    }

    /** What to select of the stored columns, so that all columns are there: some once more under another name, the others NULL. */
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
        return valueOf(source, name) + "::" + engineType(column.type()) + " AS " + name;
    }

    private static String valueOf(NativeTable.@Nullable Column source, String name) {
        if (source == null) {
            return "NULL";
        }
        if (source.layout() == NativeTable.Layout.REAL) {
            return "nullif(" + name + ", 'nan'::DOUBLE)";
        }
        return source.none() == null ? name : "nullif(" + name + ", " + source.none() + ")";
    }

    /** The engine's name of a type. */
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
