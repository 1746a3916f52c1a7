package dev.unjank.query.resolve;

import dev.unjank.query.print.SqlQuoting;
import dev.unjank.query.source.NameSuggestion;
import dev.unjank.query.source.PerfettoSqlException;
import dev.unjank.query.source.Token;
import dev.unjank.query.span.SpanJoinKind;
import dev.unjank.query.tree.SpanJoinPlan;
import dev.unjank.query.tree.SqlType;
import dev.unjank.query.tree.Statement;
import dev.unjank.query.tree.TypedColumn;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Translates span joins to steps: the engine stores the numeric columns of the joined spans in a table, and a view names
 * them. Strings are not copied: a side with strings is stored with row numbers, and the view looks them up.
 */
final class SpanJoinResolver {
    private final NameResolver resolver;
    private final StatementResolver statements;
    private final boolean library;

    SpanJoinResolver(NameResolver definitions, StatementResolver statements, boolean library) {
        this.resolver = definitions;
        this.statements = statements;
        this.library = library;
    }

    /** One side of the join. */
    private static final class Side {
        /** The column with the row number. */
        static final String ROW = "#row";

        /** {@code l} or {@code r}: prefix of the side's columns in the table, and its alias in the view. */
        private final String letter;

        private final Catalog.Relation relation;
        private final @Nullable Token partition;
        private final List<TypedColumn> carried;

        /** The relation to read rows from; a stored copy if the side has strings. */
        private String source;

        Side(String letter, Catalog.Relation relation, @Nullable Token partition, @Nullable Token joinedBy) {
            this.letter = letter;
            this.relation = relation;
            this.partition = partition;
            this.carried = relation.columns().stream()
                    .filter(column -> carries(column, joinedBy))
                    .toList();
            this.source = relation.sql();
        }

        boolean hasStrings() {
            return !carried.stream().allMatch(Side::isNumber);
        }

        private static boolean isNumber(TypedColumn column) {
            return column.type().isNumber() || column.type() == SqlType.NULL;
        }

        private List<TypedColumn> numbers() {
            return carried.stream().filter(Side::isNumber).toList();
        }

        private String rowName() {
            return letter + "_row";
        }

        SpanJoinPlan.Side plan() {
            String part = "CAST(0 AS BIGINT)";
            String where = "";
            if (partition != null) {
                TypedColumn column = FromResolver.column(relation.columns(), partition.text());
                String name = SqlQuoting.name(column == null ? partition.text() : column.name());
                part = "CAST(" + name + " AS BIGINT)";
                where = " WHERE " + name + " IS NOT NULL";
            }
            StringBuilder items =
                    new StringBuilder("coalesce(CAST(ts AS BIGINT), 0), coalesce(CAST(dur AS BIGINT), 0), " + part);
            List<TypedColumn> columns = new ArrayList<>();
            for (TypedColumn number : numbers()) {
                SqlType type = number.type() == SqlType.REAL ? SqlType.REAL : SqlType.INT;
                items.append(", CAST(" + SqlQuoting.name(number.name()) + " AS " + type.sql() + ")");
                columns.add(new TypedColumn(letter + columns.size(), type));
            }
            if (hasStrings()) {
                items.append(", " + SqlQuoting.name(ROW));
                columns.add(new TypedColumn(rowName(), SqlType.INT));
            }
            return new SpanJoinPlan.Side("SELECT " + items + " FROM " + source + where, partition != null, columns);
        }

        /** Adds the side's columns to the view's select list. */
        void addItems(List<String> items) {
            int number = 0;
            for (TypedColumn column : carried) {
                String name = SqlQuoting.name(column.name());
                String from = isNumber(column) ? "s." + letter + number++ : letter + "." + name;
                items.add(from + " AS " + name);
            }
        }

        /** The join of the view with the stored side; empty without strings. */
        String join(boolean always) {
            return hasStrings()
                    ? (always ? " JOIN " : " LEFT JOIN ") + source + " AS " + letter + " ON " + letter + "."
                            + SqlQuoting.name(ROW) + " = s." + rowName()
                    : "";
        }
    }

    void create(Statement.CreateSpanJoin join) {
        StatementContext context = new StatementContext(resolver);
        Catalog.Relation leftRelation = context.relation(join.left().table());
        Catalog.Relation rightRelation = context.relation(join.right().table());
        Token leftPartition = join.left().partition();
        Token rightPartition = join.right().partition();
        if (leftPartition != null
                && rightPartition != null
                && !Scope.lower(leftPartition.text()).equals(Scope.lower(rightPartition.text()))) {
            throw PerfettoSqlException.at(
                    rightPartition, "expected the same partition column as on the left: " + leftPartition.text());
        }
        Token partition = leftPartition == null ? rightPartition : leftPartition;
        checkSpans(join.left(), leftRelation);
        checkSpans(join.right(), rightRelation);
        checkCollisions(join, leftRelation, rightRelation, partition);
        Statement.IfExists ifExists = join.ifNotExists() ? Statement.IfExists.KEEP : Statement.IfExists.FAIL;
        if (!statements.dropExisting(join.name(), ifExists, context)) {
            return;
        }
        String base = "__unjank_span_" + resolver.nextSpanJoin();
        List<String> parts = new ArrayList<>(List.of(base));
        Side left = new Side("l", leftRelation, leftPartition, partition);
        Side right = new Side("r", rightRelation, rightPartition, partition);
        for (Side side : List.of(left, right)) {
            if (side.hasStrings()) {
                String table = base + "_" + side.letter;
                store(side, table, context, join.at());
                parts.add(table);
            }
        }
        SpanJoinKind kind = SpanJoinKind.ofName(join.kind());
        resolver.addSpanJoin(new SpanJoinPlan(kind, left.plan(), right.plan(), base), context, join.at());
        List<TypedColumn> columns =
                new ArrayList<>(List.of(new TypedColumn("ts", SqlType.INT), new TypedColumn("dur", SqlType.INT)));
        List<String> items = new ArrayList<>(List.of("s.ts AS ts", "s.dur AS dur"));
        if (partition != null) {
            columns.add(new TypedColumn(partition.text(), SqlType.INT));
            items.add("s.part AS " + SqlQuoting.name(partition.text()));
        }
        for (Side side : List.of(left, right)) {
            columns.addAll(side.carried);
            side.addItems(items);
        }
        Catalog.Relation result = new Catalog.Relation(
                Scope.lower(join.name().text()),
                Catalog.Kind.VIEW,
                StatementResolver.storedColumns(columns),
                library,
                parts);
        resolver.add(
                "CREATE VIEW " + result.sql() + " AS SELECT " + String.join(", ", items) + " FROM "
                        + SqlQuoting.name(base) + " AS s" + left.join(kind != SpanJoinKind.OUTER)
                        + right.join(kind == SpanJoinKind.INNER),
                context,
                join.at());
        resolver.catalog().relations.put(result.name(), result);
    }

    /** Stores a copy of a side, with row numbers. */
    private void store(Side side, String table, StatementContext context, Token at) {
        resolver.add(
                "CREATE OR REPLACE TABLE " + SqlQuoting.name(table) + " AS SELECT *, row_number() OVER () AS "
                        + SqlQuoting.name(Side.ROW) + " FROM " + side.relation.sql(),
                context,
                at);
        side.source = SqlQuoting.name(table);
    }

    private static void checkSpans(Statement.SpanInput input, Catalog.Relation relation) {
        for (String name : List.of("ts", "dur")) {
            TypedColumn column = FromResolver.column(relation.columns(), name);
            if (column == null) {
                throw PerfettoSqlException.at(
                        input.table(),
                        "expected a column " + name + " in " + input.table().text() + " to join its spans");
            }
            if (column.type() != SqlType.INT && column.type() != SqlType.NULL) {
                throw PerfettoSqlException.at(
                        input.table(),
                        "expected integers in " + name + " of " + input.table().text());
            }
        }
        Token partition = input.partition();
        if (partition == null) {
            return;
        }
        TypedColumn column = FromResolver.column(relation.columns(), partition.text());
        if (column == null) {
            throw PerfettoSqlException.at(
                    partition,
                    "no such column: " + input.table().text() + "." + partition.text()
                            + NameSuggestion.of(
                                    partition.text(),
                                    relation.columns().stream()
                                            .map(TypedColumn::name)
                                            .toList()));
        }
        if (column.name().equalsIgnoreCase("ts") || column.name().equalsIgnoreCase("dur")) {
            throw PerfettoSqlException.at(
                    partition,
                    "expected a column of " + input.table().text() + " other than ts and dur to partition by");
        }
        if (column.type() != SqlType.INT && column.type() != SqlType.BOOL && column.type() != SqlType.NULL) {
            throw PerfettoSqlException.at(partition, "expected integers in the partition column " + partition.text());
        }
    }

    private static void checkCollisions(
            Statement.CreateSpanJoin join, Catalog.Relation left, Catalog.Relation right, @Nullable Token partition) {
        for (TypedColumn column : right.columns()) {
            if (carries(column, partition) && FromResolver.column(left.columns(), column.name()) != null) {
                throw PerfettoSqlException.at(
                        join.right().table(),
                        "column " + column.name() + " is in both "
                                + join.left().table().text() + " and "
                                + join.right().table().text());
            }
        }
    }

    /** Whether a column is carried over unchanged. */
    private static boolean carries(TypedColumn column, @Nullable Token partition) {
        return !column.name().equalsIgnoreCase("ts")
                && !column.name().equalsIgnoreCase("dur")
                && (partition == null || !column.name().equalsIgnoreCase(partition.text()));
    }
}
