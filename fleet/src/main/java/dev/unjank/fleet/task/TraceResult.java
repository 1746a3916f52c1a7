package dev.unjank.fleet.task;

import dev.unjank.fleet.input.NonTraceFiles;
import dev.unjank.fleet.input.TraceFile;
import dev.unjank.fleet.label.TraceLabels;
import dev.unjank.query.result.Rows;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What became of a trace: rows, or the reason why there are none. Of a file that was found and is plainly no trace only the name is kept.
 *
 * @param trace the trace's name
 * @param bytes its size
 * @param tables what it answered, each row beginning with the trace's name and labels; the first table says what became of it:
 *     {@link TaskQuery#TRACES}, {@link TaskQuery#FAILURES} or {@link TaskQuery#SKIPPED}
 * @param failure why it could not be read or asked, in one line; null if it could, or is no trace
 * @param lacksMemory whether that was for want of memory, of which there may be more at another time
 */
public record TraceResult(
        String trace,
        long bytes,
        List<ResultTable> tables,
        @Nullable String failure,
        boolean lacksMemory) {
    /** The columns of {@link TraceLabels#values}, in order. */
    static final List<ResultColumn> LABELS = List.of(
            ResultColumn.text("device"),
            ResultColumn.text("os_build"),
            ResultColumn.text("app"),
            ResultColumn.text("app_version"));

    private static final List<ResultColumn> FILE = List.of(ResultColumn.text("file"), ResultColumn.number("bytes"));
    private static final List<ResultColumn> FAILURE =
            List.of(ResultColumn.text("file"), ResultColumn.text("reason"), ResultColumn.number("bytes"));

    /** A trace that gave no rows. */
    public static TraceResult failed(String trace, long bytes, String reason) {
        return failed(trace, bytes, reason, false);
    }

    /** The same, perhaps for want of memory. */
    public static TraceResult failed(String trace, long bytes, String reason, boolean lacksMemory) {
        List<@Nullable Object[]> row = List.<@Nullable Object[]>of(new @Nullable Object[] {trace, reason, bytes});
        return new TraceResult(
                trace, bytes, List.of(new ResultTable(TaskQuery.FAILURES, FAILURE, row)), reason, lacksMemory);
    }

    /** A file that is no trace. */
    public static TraceResult skipped(String file, long bytes) {
        List<@Nullable Object[]> row = List.<@Nullable Object[]>of(new @Nullable Object[] {file, bytes});
        return new TraceResult(file, bytes, List.of(new ResultTable(TaskQuery.SKIPPED, FILE, row)), null, false);
    }

    /** {@code failed}, or a skipped file if the input was found by a search and is plainly no trace. */
    public static TraceResult orSkipped(TraceFile file, TraceResult failed) {
        return file.isFound() && NonTraceFiles.isPlainlyNoTrace(file) ? skipped(file.name(), file.bytes()) : failed;
    }

    /** Whether it is of a file that is no trace. */
    public boolean isSkipped() {
        return !tables.isEmpty() && tables.getFirst().name().equals(TaskQuery.SKIPPED);
    }

    /** How many rows it has in all. */
    public long rows() {
        return tables.stream().mapToLong(table -> table.rows().size()).sum();
    }

    /** The columns that come before those of any result: which trace it is of. */
    public static List<ResultColumn> identity() {
        List<ResultColumn> columns = new ArrayList<>();
        columns.add(new ResultColumn("trace", Rows.Type.TEXT));
        columns.addAll(LABELS);
        return columns;
    }
}
