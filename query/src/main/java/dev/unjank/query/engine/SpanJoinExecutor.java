package dev.unjank.query.engine;

import dev.unjank.query.load.BulkLoad;
import dev.unjank.query.load.NativeTable;
import dev.unjank.query.load.TableDefinition;
import dev.unjank.query.print.DuckDbPrinter;
import dev.unjank.query.print.SqlQuoting;
import dev.unjank.query.result.QueryException;
import dev.unjank.query.result.QueryException.Kind;
import dev.unjank.query.span.JoinedSpans;
import dev.unjank.query.span.SpanJoin;
import dev.unjank.query.span.Spans;
import dev.unjank.query.tree.SpanJoinPlan;
import dev.unjank.query.tree.SqlType;
import dev.unjank.query.tree.TypedColumn;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Executes a span join: reads both queries as columns, joins them, and loads the result as a table. */
public final class SpanJoinExecutor {
    private static final int TS = 0;
    private static final int DUR = 1;
    private static final int PARTITION = 2;

    /** Columns that describe spans; the columns after them are carried over. */
    private static final int SPAN_COLUMNS = 3;

    private SpanJoinExecutor() {}

    /** Creates the table of a span join. */
    public static void execute(SpanJoinPlan plan, DuckDbEngine engine, BooleanSupplier stop) throws QueryException {
        try {
            join(plan, engine, stop);
        } catch (CancellationException e) {
            throw new QueryException(Kind.INTERRUPTED, "interrupted", -1);
        } catch (OutOfMemoryError e) {
            throw new QueryException(Kind.MEMORY, "not enough memory for the rows of this span join", -1);
        }
    }

    private static void join(SpanJoinPlan plan, DuckDbEngine engine, BooleanSupplier stop) throws QueryException {
        NumericColumns left = engine.read(DuckDbPrinter.print(plan.left().query()));
        NumericColumns right = engine.read(DuckDbPrinter.print(plan.right().query()));
        JoinedSpans joined = SpanJoin.join(
                plan.kind(),
                spans(left),
                plan.left().partitioned(),
                spans(right),
                plan.right().partitioned(),
                stop);
        String columns = Stream.concat(plan.left().columns().stream(), plan.right().columns().stream())
                .map(column -> ", " + column.name() + (column.type() == SqlType.REAL ? " REAL" : " INT"))
                .collect(Collectors.joining("", "ts INT, dur INT, part INT", ""));
        TableDefinition table = TableDefinition.table(plan.into(), columns, arena -> {
            NativeTable rows = new NativeTable(arena, joined.size())
                    .longs("ts", joined.ts())
                    .longs("dur", joined.dur())
                    .longs("part", joined.partition());
            carry(left, plan.left().columns(), joined.leftRow(), rows);
            carry(right, plan.right().columns(), joined.rightRow(), rows);
            return rows;
        });
        engine.execute("DROP TABLE IF EXISTS " + SqlQuoting.name(plan.into()));
        engine.create(table, BulkLoad.ARROW);
    }

    private static Spans spans(NumericColumns columns) {
        return new Spans(columns.values(TS), columns.values(DUR), columns.values(PARTITION), columns.size());
    }

    /** Adds a side's columns to the result: for each joined span, the value in that side's row. */
    private static void carry(NumericColumns from, List<TypedColumn> columns, int[] rows, NativeTable into) {
        for (int i = 0; i < columns.size(); i++) {
            TypedColumn column = columns.get(i);
            int source = SPAN_COLUMNS + i;
            long[] values = from.values(source);
            if (column.type() == SqlType.REAL) {
                into.doubles(
                        column.name(),
                        row -> rows[row] == JoinedSpans.NO_ROW
                                ? Double.NaN
                                : Double.longBitsToDouble(values[rows[row]]));
            } else {
                long nullValue = from.nullValue(source);
                into.longs(column.name(), nullValue, (first, chunk, count) -> {
                    for (int k = 0; k < count; k++) {
                        int row = rows[first + k];
                        chunk[k] = row == JoinedSpans.NO_ROW ? nullValue : values[row];
                    }
                });
            }
        }
    }
}
