package dev.unjank.query.resolve;

import dev.unjank.query.source.NameSuggestion;
import dev.unjank.query.source.PerfettoSqlException;
import dev.unjank.query.source.Token;
import dev.unjank.query.span.SpanJoinKind;
import dev.unjank.query.tree.SpanJoinPlan;
import dev.unjank.query.tree.Sql;
import dev.unjank.query.tree.SqlQuery;
import dev.unjank.query.tree.SqlStatement;
import dev.unjank.query.tree.SqlType;
import dev.unjank.query.tree.Statement;
import dev.unjank.query.tree.TypedColumn;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Translates span joins to steps: the engine stores the numeric columns of the joined spans in a table, and a view
 * names them. Strings are not copied: a side with strings is stored with row numbers, and the view looks them up.
 */
final class SpanJoinResolver {
    /** Alias of the joined spans in the view. */
    private static final String SPANS = "s";

    private final NameResolver resolver;
    private final RelationResolver relations;
    private final boolean library;

    SpanJoinResolver(NameResolver definitions, RelationResolver relations, boolean library) {
        this.resolver = definitions;
        this.relations = relations;
        this.library = library;
    }

    /** One side of the join. */
    private static final class Side {
        /** The column with the row number. */
        static final String ROW = "#row";

        /** {@code l} or {@code r}: prefix of the side's columns in the table, and the side's alias. */
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
            this.source = relation.name();
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
            List<SqlQuery.Item> items = new ArrayList<>();
            for (String name : List.of("ts", "dur")) {
                Sql time = Sql.call("coalesce", Sql.cast(Sql.column(letter, name), SqlType.INT), Sql.bare(0));
                items.add(new SqlQuery.Item(time, name));
            }
            Sql part = Sql.integer(0);
            Sql where = null;
            if (partition != null) {
                TypedColumn column = FromResolver.column(relation.columns(), partition.text());
                part = Sql.column(letter, column == null ? partition.text() : column.name());
                where = Sql.isNotNull(part);
            }
            items.add(new SqlQuery.Item(Sql.cast(part, SqlType.INT), "part"));
            List<TypedColumn> columns = new ArrayList<>();
            for (TypedColumn number : numbers()) {
                SqlType type = number.type() == SqlType.REAL ? SqlType.REAL : SqlType.INT;
                TypedColumn column = new TypedColumn(letter + columns.size(), type);
                items.add(new SqlQuery.Item(Sql.cast(Sql.column(letter, number.name()), type), column.name()));
                columns.add(column);
            }
            if (hasStrings()) {
                items.add(new SqlQuery.Item(Sql.column(letter, ROW), rowName()));
                columns.add(new TypedColumn(rowName(), SqlType.INT));
            }
            SqlQuery query = new SqlQuery.Select(false, items, table(), where, List.of(), null);
            return new SpanJoinPlan.Side(query, partition != null, columns);
        }

        private SqlQuery.Source table() {
            return new SqlQuery.Table(null, source, letter);
        }

        /** Adds the side's columns to the view's select list. */
        void addItems(List<SqlQuery.Item> items) {
            int number = 0;
            for (TypedColumn column : carried) {
                Sql value = isNumber(column) ? Sql.column(SPANS, letter + number++) : Sql.column(letter, column.name());
                items.add(new SqlQuery.Item(value, column.name()));
            }
        }

        /** The joined spans with the stored side; as they are if the side has no strings. */
        SqlQuery.Source join(SqlQuery.Source spans, boolean always) {
            Sql sameRow = Sql.infix(Sql.column(letter, ROW), "=", Sql.column(SPANS, rowName()));
            return hasStrings() ? new SqlQuery.Join(always ? "INNER" : "LEFT", spans, table(), sameRow) : spans;
        }
    }

    void create(Statement.CreateSpanJoin join) {
        StatementContext context = new StatementContext(resolver);
        Catalog.Relation leftRelation = context.relation(join.left().table());
        Catalog.Relation rightRelation = context.relation(join.right().table());
        Token leftPartition = join.left().partition();
        Token rightPartition = join.right().partition();
        Token partition = leftPartition == null ? rightPartition : leftPartition;
        check(join, leftRelation, rightRelation, partition);
        Statement.IfExists ifExists = join.ifNotExists() ? Statement.IfExists.KEEP : Statement.IfExists.FAIL;
        if (!relations.dropExisting(join.name(), ifExists, context)) {
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
        createView(join, partition, left, right, base, parts, context);
    }

    /** Creates the view with the columns of both sides. */
    private void createView(
            Statement.CreateSpanJoin join,
            @Nullable Token partition,
            Side left,
            Side right,
            String base,
            List<String> parts,
            StatementContext context) {
        SpanJoinKind kind = SpanJoinKind.ofName(join.kind());
        List<TypedColumn> columns =
                new ArrayList<>(List.of(new TypedColumn("ts", SqlType.INT), new TypedColumn("dur", SqlType.INT)));
        List<SqlQuery.Item> items = new ArrayList<>();
        items.add(new SqlQuery.Item(Sql.column(SPANS, "ts"), "ts"));
        items.add(new SqlQuery.Item(Sql.column(SPANS, "dur"), "dur"));
        if (partition != null) {
            columns.add(new TypedColumn(partition.text(), SqlType.INT));
            items.add(new SqlQuery.Item(Sql.column(SPANS, "part"), partition.text()));
        }
        for (Side side : List.of(left, right)) {
            columns.addAll(side.carried);
            side.addItems(items);
        }
        Catalog.Relation result = new Catalog.Relation(
                Scope.lower(join.name().text()),
                Catalog.Kind.VIEW,
                RelationResolver.storedColumns(columns),
                library,
                parts,
                null);
        SqlQuery.Source spans = left.join(new SqlQuery.Table(null, base, SPANS), kind != SpanJoinKind.OUTER);
        SqlQuery rows = SqlQuery.Select.of(items, right.join(spans, kind == SpanJoinKind.INNER));
        resolver.add(new SqlStatement.CreateView(result.name(), rows), context, join.at());
        resolver.catalog().relations.put(result.name(), result);
    }

    /** Stores a copy of a side, with row numbers. */
    private void store(Side side, String table, StatementContext context, Token at) {
        List<SqlQuery.Item> items = new ArrayList<>();
        for (TypedColumn column : side.relation.columns()) {
            items.add(new SqlQuery.Item(Sql.column(side.letter, column.name()), column.name()));
        }
        Sql.Window everything = new Sql.Window(List.of(), List.of(), "");
        Sql number =
                Sql.aggregate(new Sql.Aggregate("row_number", false, false, List.of(), null, everything), List.of());
        items.add(new SqlQuery.Item(number, Side.ROW));
        SqlQuery rows = SqlQuery.Select.of(items, side.table());
        resolver.add(new SqlStatement.CreateTable(table, true, rows), context, at);
        side.source = table;
    }

    private static void check(
            Statement.CreateSpanJoin join, Catalog.Relation left, Catalog.Relation right, @Nullable Token partition) {
        Token leftPartition = join.left().partition();
        Token rightPartition = join.right().partition();
        if (leftPartition != null
                && rightPartition != null
                && !Scope.lower(leftPartition.text()).equals(Scope.lower(rightPartition.text()))) {
            throw PerfettoSqlException.at(
                    rightPartition, "expected the same partition column as on the left: " + leftPartition.text());
        }
        checkSpans(join.left(), left);
        checkSpans(join.right(), right);
        checkCollisions(join, left, right, partition);
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
