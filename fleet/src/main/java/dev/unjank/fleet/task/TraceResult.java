package dev.unjank.fleet.task;

import dev.unjank.fleet.input.NonTraceFiles;
import dev.unjank.fleet.input.TraceFile;
import dev.unjank.fleet.label.TraceLabels;
import dev.unjank.query.result.Rows;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of a trace: rows, or the reason why there are none. For a skipped file it contains only the name and the
 * size.
 *
 * @param bytes its size
 * @param tables the rows, each with the trace's name and labels; the first table is {@link TaskQuery#TRACES}, {@link
 *     TaskQuery#FAILURES} or {@link TaskQuery#SKIPPED}
 * @param failure the reason for a failure in one line; null if the trace was read
 * @param lacksMemory whether it failed because memory was short, so that a retry may succeed
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

    public static TraceResult failed(String trace, long bytes, String reason) {
        return failed(trace, bytes, reason, false);
    }

    /** A failed trace, perhaps because memory was short. */
    public static TraceResult failed(String trace, long bytes, String reason, boolean lacksMemory) {
        List<@Nullable Object[]> row = List.<@Nullable Object[]>of(new @Nullable Object[] {trace, reason, bytes});
        return new TraceResult(
                trace, bytes, List.of(new ResultTable(TaskQuery.FAILURES, FAILURE, row)), reason, lacksMemory);
    }

    /** A skipped file, which is not a trace. */
    public static TraceResult skipped(String file, long bytes) {
        List<@Nullable Object[]> row = List.<@Nullable Object[]>of(new @Nullable Object[] {file, bytes});
        return new TraceResult(file, bytes, List.of(new ResultTable(TaskQuery.SKIPPED, FILE, row)), null, false);
    }

    /**
     * {@code failed}, or a skipped file if the file was found in a folder or by a pattern and is clearly not a trace.
     */
    public static TraceResult orSkipped(TraceFile file, TraceResult failed) {
        return file.isFound() && NonTraceFiles.isPlainlyNoTrace(file) ? skipped(file.name(), file.bytes()) : failed;
    }

    /** Whether it is a skipped file. */
    public boolean isSkipped() {
        return !tables.isEmpty() && tables.getFirst().name().equals(TaskQuery.SKIPPED);
    }

    public long rows() {
        return tables.stream().mapToLong(table -> table.rows().size()).sum();
    }

    /** The first columns of every result: the trace's name and labels. */
    public static List<ResultColumn> identity() {
        List<ResultColumn> columns = new ArrayList<>();
        columns.add(new ResultColumn("trace", Rows.Type.TEXT));
        columns.addAll(LABELS);
        return columns;
    }
}
