package dev.unjank.fleet;

import dev.unjank.query.Rows;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What became of a trace: rows, or the reason why there are none. Of a file that was found and is plainly no trace only the name is kept.
 *
 * @param trace the trace's name
 * @param bytes its size
 * @param tables what it answered, each row beginning with the trace's name and labels; the first table says what became of it:
 *     {@link Question#TRACES}, {@link Question#FAILURES} or {@link Question#SKIPPED}
 * @param failure why it could not be read or asked, in one line; null if it could, or is no trace
 * @param lacksMemory whether that was for want of memory, of which there may be more at another time
 */
public record Outcome(
        String trace,
        long bytes,
        List<Table> tables,
        @Nullable String failure,
        boolean lacksMemory) {
    private static final List<Column> FILE = List.of(Column.text("file"), Column.number("bytes"));
    private static final List<Column> FAILURE =
            List.of(Column.text("file"), Column.text("reason"), Column.number("bytes"));

    /** A trace that gave no rows. */
    static Outcome failed(String trace, long bytes, String reason) {
        return failed(trace, bytes, reason, false);
    }

    /** The same, perhaps for want of memory. */
    static Outcome failed(String trace, long bytes, String reason, boolean lacksMemory) {
        List<@Nullable Object[]> row = List.<@Nullable Object[]>of(new @Nullable Object[] {trace, reason, bytes});
        return new Outcome(trace, bytes, List.of(new Table(Question.FAILURES, FAILURE, row)), reason, lacksMemory);
    }

    /** A file that is no trace. */
    static Outcome skipped(String file, long bytes) {
        List<@Nullable Object[]> row = List.<@Nullable Object[]>of(new @Nullable Object[] {file, bytes});
        return new Outcome(file, bytes, List.of(new Table(Question.SKIPPED, FILE, row)), null, false);
    }

    /** Whether it is of a file that is no trace. */
    boolean isSkipped() {
        return !tables.isEmpty() && tables.getFirst().name().equals(Question.SKIPPED);
    }

    /** How many rows it has in all. */
    long rows() {
        return tables.stream().mapToLong(table -> table.rows().size()).sum();
    }

    /** The columns that come before those of any result: which trace it is of. */
    static List<Column> identity() {
        List<Column> columns = new ArrayList<>();
        columns.add(new Column("trace", Rows.Type.TEXT));
        columns.addAll(Labels.COLUMNS);
        return columns;
    }
}
