package dev.unjank.query.front;

import dev.unjank.query.span.SpanJoinKind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Joins of spans into steps: both sides are made tables whose rows have numbers, a walk over both finds which rows share which
 * time, and a view puts their columns together.
 */
final class SpanJoinTranslator {
    private final Definitions definitions;
    private final StatementTranslator statements;
    private final boolean library;

    SpanJoinTranslator(Definitions definitions, StatementTranslator statements, boolean library) {
        this.definitions = definitions;
        this.statements = statements;
        this.library = library;
    }

    void create(Statement.CreateSpanJoin join) {
        Translation translation = new Translation(definitions);
        Catalog.Relation left = translation.relation(join.left().table());
        Catalog.Relation right = translation.relation(join.right().table());
        Token leftPartition = join.left().partition();
        Token rightPartition = join.right().partition();
        if (leftPartition != null
                && rightPartition != null
                && !Scope.lower(leftPartition.text()).equals(Scope.lower(rightPartition.text()))) {
            throw PerfettoSqlException.at(
                    rightPartition, "expected the same partition column as on the left: " + leftPartition.text());
        }
        Token partition = leftPartition == null ? rightPartition : leftPartition;
        checkSpans(join.left(), left);
        checkSpans(join.right(), right);
        checkCollisions(join, left, right, partition);
        Statement.IfTaken ifTaken = join.ifNotExists() ? Statement.IfTaken.KEEP : Statement.IfTaken.FAIL;
        if (!statements.makeRoom(join.name(), ifTaken, translation)) {
            return;
        }
        String base = "__unjank_span_" + definitions.nextSpanJoin();
        String leftTable = stored(left, base + "_left", translation, join.at());
        String rightTable = stored(right, base + "_right", translation, join.at());
        definitions.addSpanJoin(
                new SpanJoinPlan(
                        SpanJoinKind.named(join.kind()),
                        spans(leftTable, leftPartition, left),
                        spans(rightTable, rightPartition, right),
                        leftPartition != null,
                        rightPartition != null,
                        base),
                join.at());
        List<Column> columns = new ArrayList<>(List.of(new Column("ts", SqlType.INT), new Column("dur", SqlType.INT)));
        List<String> items = new ArrayList<>(List.of("s.ts AS ts", "s.dur AS dur"));
        if (partition != null) {
            columns.add(new Column(partition.text(), SqlType.INT));
            items.add("s.part AS " + Names.quoted(partition.text()));
        }
        addColumns("l.", left, partition, columns, items);
        addColumns("r.", right, partition, columns, items);
        Catalog.Relation result =
                new Catalog.Relation(Scope.lower(join.name().text()), Catalog.Kind.VIEW, columns, library);
        definitions.add(
                "CREATE VIEW " + result.sql() + " AS SELECT " + String.join(", ", items) + " FROM " + Names.quoted(base)
                        + " AS s LEFT JOIN " + leftTable + " AS l ON l.rowid = s.left_row LEFT JOIN " + rightTable
                        + " AS r ON r.rowid = s.right_row",
                translation,
                join.at());
        definitions.catalog().relations.put(result.name(), result);
    }

    /** A table whose rows keep their numbers: what nobody can change is used as it is, anything else copied. */
    private String stored(Catalog.Relation relation, String name, Translation translation, Token at) {
        if (relation.kind() == Catalog.Kind.TABLE && relation.lasting()) {
            return relation.sql();
        }
        String table = Names.quoted(name);
        definitions.add("CREATE OR REPLACE TABLE " + table + " AS SELECT * FROM " + relation.sql(), translation, at);
        return table;
    }

    private static String spans(String table, @Nullable Token partition, Catalog.Relation relation) {
        String part = "0";
        String where = "";
        if (partition != null) {
            Column column = FromTranslator.column(relation.columns(), partition.text());
            part = Names.quoted(column == null ? partition.text() : column.name());
            where = " WHERE " + part + " IS NOT NULL";
        }
        return "SELECT coalesce(CAST(ts AS BIGINT), 0) AS ts, coalesce(CAST(dur AS BIGINT), 0) AS dur, CAST(" + part
                + " AS BIGINT) AS part, rowid FROM " + table + where;
    }

    private static void checkSpans(Statement.SpanInput input, Catalog.Relation relation) {
        for (String name : List.of("ts", "dur")) {
            Column column = FromTranslator.column(relation.columns(), name);
            if (column == null) {
                throw PerfettoSqlException.at(
                        input.table(),
                        "expected a column " + name + " in " + input.table().text() + " to join its spans");
            }
            if (column.type() != SqlType.INT && column.type() != SqlType.NULL) {
                throw PerfettoSqlException.at(
                        input.table(),
                        "expected whole numbers in " + name + " of "
                                + input.table().text());
            }
        }
        Token partition = input.partition();
        if (partition == null) {
            return;
        }
        Column column = FromTranslator.column(relation.columns(), partition.text());
        if (column == null) {
            throw PerfettoSqlException.at(
                    partition,
                    "no such column: " + input.table().text() + "." + partition.text()
                            + Suggestion.of(
                                    partition.text(),
                                    relation.columns().stream()
                                            .map(Column::name)
                                            .toList()));
        }
        if (column.name().equalsIgnoreCase("ts") || column.name().equalsIgnoreCase("dur")) {
            throw PerfettoSqlException.at(
                    partition,
                    "expected a column of " + input.table().text() + " other than ts and dur to partition by");
        }
        if (column.type() != SqlType.INT && column.type() != SqlType.BOOL && column.type() != SqlType.NULL) {
            throw PerfettoSqlException.at(
                    partition, "expected whole numbers in the partition column " + partition.text());
        }
    }

    private static void checkCollisions(
            Statement.CreateSpanJoin join, Catalog.Relation left, Catalog.Relation right, @Nullable Token partition) {
        for (Column column : right.columns()) {
            if (carries(column, partition) && FromTranslator.column(left.columns(), column.name()) != null) {
                throw PerfettoSqlException.at(
                        join.right().table(),
                        "column " + column.name() + " is in both "
                                + join.left().table().text() + " and "
                                + join.right().table().text());
            }
        }
    }

    /** Whether a column is carried over as it is. */
    private static boolean carries(Column column, @Nullable Token partition) {
        return !column.name().equalsIgnoreCase("ts")
                && !column.name().equalsIgnoreCase("dur")
                && (partition == null || !column.name().equalsIgnoreCase(partition.text()));
    }

    private static void addColumns(
            String alias,
            Catalog.Relation relation,
            @Nullable Token partition,
            List<Column> columns,
            List<String> items) {
        for (Column column : relation.columns()) {
            if (carries(column, partition)) {
                columns.add(column);
                items.add(alias + Names.quoted(column.name()) + " AS " + Names.quoted(column.name()));
            }
        }
    }
}
