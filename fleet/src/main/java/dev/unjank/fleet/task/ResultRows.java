package dev.unjank.fleet.task;

import dev.unjank.fleet.label.TraceLabels;
import dev.unjank.query.result.QueryException;
import dev.unjank.query.result.Rows;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The result rows of one trace, each prefixed with the trace's name and labels. */
final class ResultRows {
    private static final int IDENTITY = 1 + TraceResult.LABELS.size();

    private final @Nullable Object[] identity = new @Nullable Object[IDENTITY];
    private final List<ResultTable> tables = new ArrayList<>();
    private final Set<String> names = new HashSet<>();
    private final long most;
    private long left;

    /** A result that cannot be stored. */
    static final class UnfitException extends RuntimeException {
        private static final long serialVersionUID = 1;

        UnfitException(String message) {
            super(message, null, false, false);
        }
    }

    /** Creates the rows of a trace with a limit to their number. */
    ResultRows(String trace, TraceLabels labels, long most) {
        identity[0] = trace;
        System.arraycopy(labels.values(), 0, identity, 1, TraceResult.LABELS.size());
        this.most = most;
        left = most;
    }

    void add(String name, Rows rows) throws QueryException {
        List<ResultColumn> columns = columns(rows.columns());
        List<@Nullable Object[]> taken = new ArrayList<>();
        while (rows.next()) {
            if (left-- == 0) {
                throw new UnfitException("result has more than " + most + " rows");
            }
            @Nullable Object[] row = new @Nullable Object[columns.size()];
            System.arraycopy(identity, 0, row, 0, IDENTITY);
            for (int i = IDENTITY; i < row.length; i++) {
                row[i] = plain(rows.get(i - IDENTITY), columns.get(i));
            }
            taken.add(row);
        }
        tables.add(new ResultTable(unique(name, names), columns, taken));
    }

    List<ResultTable> tables() {
        return tables;
    }

    /** The row of table traces: the trace was read, except the unread parts. */
    ResultTable ofTheTrace(long bytes, List<String> unread) {
        List<ResultColumn> columns = new ArrayList<>(TraceResult.identity());
        columns.add(ResultColumn.number("bytes"));
        columns.add(ResultColumn.text("unread"));
        @Nullable Object[] row = new @Nullable Object[IDENTITY + 2];
        System.arraycopy(identity, 0, row, 0, IDENTITY);
        row[IDENTITY] = bytes;
        row[IDENTITY + 1] = unread.isEmpty() ? null : String.join("; ", unread);
        return new ResultTable(TaskQuery.TRACES, columns, List.<@Nullable Object[]>of(row));
    }

    /** The columns, with bytes as hexadecimal text. */
    private static List<ResultColumn> columns(List<Rows.Column> answered) {
        List<ResultColumn> columns = TraceResult.identity();
        Set<String> taken = new HashSet<>();
        columns.forEach(column -> taken.add(column.name()));
        for (Rows.Column column : answered) {
            Rows.Type type = column.type() == Rows.Type.BLOB ? Rows.Type.TEXT : column.type();
            columns.add(new ResultColumn(unique(column.name(), taken), type));
        }
        return List.copyOf(columns);
    }

    private static @Nullable Object plain(@Nullable Object value, ResultColumn column) {
        return switch (value) {
            case byte[] bytes -> HexFormat.of().formatHex(bytes);
            case BigInteger number ->
                throw new UnfitException("column " + column.name() + " contains an integer beyond 64 bits: " + number);
            case Number number when column.type() == Rows.Type.TEXT -> number.toString();
            case null, default -> value;
        };
    }

    /** The column name; if it already exists, ignoring case, a number is appended. */
    private static String unique(String name, Set<String> taken) {
        String unique = name;
        for (int i = 2; !taken.add(unique.toLowerCase(Locale.ROOT)); i++) {
            unique = name + "_" + i;
        }
        return unique;
    }
}
