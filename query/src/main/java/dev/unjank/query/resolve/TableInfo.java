package dev.unjank.query.resolve;

import dev.unjank.query.source.PerfettoSqlException;
import dev.unjank.query.source.Token;
import dev.unjank.query.tree.Expr;
import dev.unjank.query.tree.Query;
import dev.unjank.query.tree.Sql;
import dev.unjank.query.tree.SqlQuery;
import dev.unjank.query.tree.SqlType;
import dev.unjank.query.tree.TypedColumn;
import dev.unjank.query.tree.TypedQuery;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code perfetto_table_info('table')}: the columns of a table as trace processor would store them: their type, whether
 * they contain NULL, and whether they are sorted. Integers that increase with each row are of the type id.
 */
final class TableInfo {
    static final String NAME = "perfetto_table_info";

    private static final List<TypedColumn> COLUMNS = List.of(
            new TypedColumn("id", SqlType.INT),
            new TypedColumn("name", SqlType.TEXT),
            new TypedColumn("col_type", SqlType.TEXT),
            new TypedColumn("nullable", SqlType.INT),
            new TypedColumn("sorted", SqlType.INT));

    private TableInfo() {}

    static TypedQuery rows(Query.TableCall call, StatementContext context) {
        if (call.arguments().size() != 1
                || !(call.arguments().getFirst() instanceof Expr.Literal literal)
                || literal.at().kind() != Token.Kind.STRING) {
            throw PerfettoSqlException.at(call.at(), "expected the name of a table in single quotes");
        }
        Catalog.Relation relation = context.relation(literal.at());
        List<SqlQuery> rows = new ArrayList<>();
        List<String> operators = new ArrayList<>();
        for (TypedColumn column : relation.columns()) {
            if (!rows.isEmpty()) {
                operators.add("UNION ALL");
            }
            rows.add(row(relation, column, rows.size(), context));
        }
        SqlQuery all = rows.size() == 1 ? rows.getFirst() : new SqlQuery.Combined(rows, operators);
        return new TypedQuery(all, COLUMNS, false);
    }

    private static SqlQuery row(Catalog.Relation relation, TypedColumn column, int number, StatementContext context) {
        String table = context.names.fresh("info");
        String steps = context.names.fresh("steps");
        Sql value = Sql.column(table, column.name());
        Sql before = Sql.aggregate(
                new Sql.Aggregate("lag", false, false, List.of(), null, new Sql.Window(List.of(), List.of(), "")),
                List.of(value));
        SqlQuery pairs = SqlQuery.Select.of(
                List.of(new SqlQuery.Item(value, "value"), new SqlQuery.Item(before, "before")),
                new SqlQuery.Table(null, relation.name(), table));
        Sql step = Sql.column(steps, "value");
        Sql previous = Sql.column(steps, "before");
        Sql nulls = Sql.aggregate("count_if", Sql.isNull(step));
        Sql falling = Sql.aggregate("count_if", Sql.infix(step, "<", previous));
        Sql notRising = Sql.aggregate("count_if", Sql.infix(step, "<=", previous));
        Sql zero = Sql.bare(0);
        Sql isId = Sql.infix(Sql.infix(nulls, "=", zero), "AND", Sql.infix(notRising, "=", zero));
        Sql type = switch (column.type()) {
            case INT, BOOL, NULL -> Sql.choice(isId, Sql.text("id"), Sql.text("int64"));
            case REAL -> Sql.text("double");
            default -> Sql.text("string");
        };
        return SqlQuery.Select.of(
                List.of(
                        new SqlQuery.Item(Sql.integer(number), "id"),
                        new SqlQuery.Item(Sql.text(column.name()), "name"),
                        new SqlQuery.Item(type, "col_type"),
                        new SqlQuery.Item(Sql.cast(Sql.infix(nulls, ">", zero), SqlType.INT), "nullable"),
                        new SqlQuery.Item(
                                Sql.cast(
                                        Sql.infix(Sql.infix(nulls, "=", zero), "AND", Sql.infix(falling, "=", zero)),
                                        SqlType.INT),
                                "sorted")),
                SqlQuery.Nested.of(pairs, steps, List.of()));
    }
}
