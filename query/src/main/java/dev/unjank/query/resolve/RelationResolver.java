package dev.unjank.query.resolve;

import dev.unjank.query.source.PerfettoSqlException;
import dev.unjank.query.source.Token;
import dev.unjank.query.tree.Query;
import dev.unjank.query.tree.Sql;
import dev.unjank.query.tree.SqlQuery;
import dev.unjank.query.tree.SqlStatement;
import dev.unjank.query.tree.SqlType;
import dev.unjank.query.tree.Statement;
import dev.unjank.query.tree.TypedColumn;
import dev.unjank.query.tree.TypedExpr;
import dev.unjank.query.tree.TypedQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Translates the statements that create, fill and drop tables and views, and records these. */
final class RelationResolver {
    /** Alias of a query whose columns are converted. */
    private static final String ROWS = "r";

    private final NameResolver resolver;

    /** Whether the statements belong to the standard library. */
    private final boolean library;

    RelationResolver(NameResolver definitions, boolean library) {
        this.resolver = definitions;
        this.library = library;
    }

    private static String key(Token name) {
        return Scope.lower(name.text());
    }

    void create(Statement.CreateTable table) {
        create(table.at(), table.name(), table.ifExists(), Catalog.Kind.TABLE, table.schema(), table.query());
    }

    void create(Statement.CreateView view) {
        create(view.at(), view.name(), view.ifExists(), Catalog.Kind.VIEW, view.schema(), view.query());
    }

    private void create(
            Token at,
            Token name,
            Statement.IfExists ifExists,
            Catalog.Kind kind,
            List<Statement.TypedName> schema,
            Query query) {
        StatementContext context = new StatementContext(resolver);
        TypedQuery rows = new QueryResolver(context).query(query, null, List.of(), true);
        for (Statement.TypedName wanted : schema) {
            if (FromResolver.column(rows.columns(), wanted.name().text()) == null) {
                throw PerfettoSqlException.at(
                        wanted.name(),
                        "the query has no column " + wanted.name().text());
            }
        }
        boolean inPlace = kind == Catalog.Kind.TABLE && isReplaceable(name, ifExists);
        if (!inPlace && !dropExisting(name, ifExists, context)) {
            return;
        }
        Catalog.Relation relation = new Catalog.Relation(key(name), kind, storedColumns(rows.columns()), library);
        SqlQuery stored = withStoredTypes(rows);
        resolver.add(
                kind == Catalog.Kind.VIEW
                        ? new SqlStatement.CreateView(relation.name(), stored)
                        : new SqlStatement.CreateTable(relation.name(), inPlace, stored),
                context,
                at);
        resolver.catalog().relations.put(relation.name(), relation);
    }

    /** Columns as stored: a column of only NULLs is an INT. */
    static List<TypedColumn> storedColumns(List<TypedColumn> columns) {
        return columns.stream()
                .map(column -> column.type() == SqlType.NULL ? new TypedColumn(column.name(), SqlType.INT) : column)
                .toList();
    }

    /** Casts columns of only NULLs to their stored type. */
    private static SqlQuery withStoredTypes(TypedQuery rows) {
        if (rows.columns().stream().noneMatch(column -> column.type() == SqlType.NULL)) {
            return rows.query();
        }
        List<SqlQuery.Item> items = rows.columns().stream()
                .map(column -> {
                    Sql value = Sql.column(ROWS, column.name());
                    return new SqlQuery.Item(
                            column.type() == SqlType.NULL ? Sql.cast(value, SqlType.INT) : value, column.name());
                })
                .toList();
        return SqlQuery.Select.of(items, SqlQuery.Nested.of(rows.query(), ROWS, List.of()));
    }

    void create(Statement.CreateEmptyTable table) {
        StatementContext context = new StatementContext(resolver);
        if (!dropExisting(table.name(), table.ifExists(), context)) {
            return;
        }
        List<TypedColumn> columns = new ArrayList<>();
        for (Statement.TypedName typed : table.schema()) {
            SqlType type = typed.type().equals(typed.name())
                    ? SqlType.ANY
                    : SqlType.ofName(typed.type().text());
            if (FromResolver.column(columns, typed.name().text()) != null) {
                throw PerfettoSqlException.at(
                        typed.name(), "duplicate column: " + typed.name().text());
            }
            columns.add(new TypedColumn(typed.name().text(), type));
        }
        Token numbered = table.key();
        Catalog.Relation relation = new Catalog.Relation(
                key(table.name()),
                Catalog.Kind.TABLE,
                columns,
                library,
                List.of(),
                numbered == null ? null : numbered.text());
        resolver.add(new SqlStatement.CreateEmptyTable(relation.name(), columns), context, table.at());
        resolver.catalog().relations.put(relation.name(), relation);
    }

    void insert(Statement.Insert insert) {
        StatementContext context = new StatementContext(resolver);
        Catalog.Relation table = context.relation(insert.table());
        if (table.kind() != Catalog.Kind.TABLE || table.builtIn()) {
            throw PerfettoSqlException.at(insert.table(), "expected a table created in this session");
        }
        List<TypedColumn> into = new ArrayList<>();
        for (Token name : insert.columns()) {
            TypedColumn column = FromResolver.column(table.columns(), name.text());
            if (column == null) {
                throw PerfettoSqlException.at(name, "no such column: " + name.text());
            }
            into.add(column);
        }
        if (into.isEmpty()) {
            into.addAll(table.columns());
        }
        TypedQuery rows = new QueryResolver(context).query(insert.query(), null, List.of(), true);
        if (rows.columns().size() != into.size()) {
            throw PerfettoSqlException.at(
                    insert.query().at(),
                    "expected " + into.size() + " columns, found "
                            + rows.columns().size());
        }
        List<String> names = into.stream().map(TypedColumn::name).toList();
        List<String> given =
                IntStream.range(0, into.size()).mapToObj(i -> "c" + i).toList();
        List<SqlQuery.Item> values = IntStream.range(0, into.size())
                .mapToObj(i -> {
                    Sql value = Sql.column(ROWS, given.get(i));
                    SqlType type = rows.columns().get(i).type();
                    return new SqlQuery.Item(
                            TypedExpr.of(value, type)
                                    .convertTo(into.get(i).type())
                                    .sql(),
                            names.get(i));
                })
                .toList();
        List<String> stored = new ArrayList<>(names);
        List<SqlQuery.Item> items = new ArrayList<>(values);
        String key = table.key();
        if (key != null && names.stream().noneMatch(key::equalsIgnoreCase)) {
            stored.add(key);
            items.add(new SqlQuery.Item(nextNumber(table, key), key));
        }
        SqlQuery converted = SqlQuery.Select.of(items, SqlQuery.Nested.of(rows.query(), ROWS, given));
        resolver.add(new SqlStatement.Insert(table.name(), stored, converted), context, insert.at());
    }

    /** The number of a new row: those after the largest of the table. */
    private static Sql nextNumber(Catalog.Relation table, String key) {
        SqlQuery largest = SqlQuery.Select.of(
                List.of(new SqlQuery.Item(Sql.aggregate("max", Sql.column("t", key)), key)),
                new SqlQuery.Table(null, table.name(), "t"));
        Sql number = Sql.aggregate(
                new Sql.Aggregate(
                        "row_number", false, false, List.of(), null, new Sql.Window(List.of(), List.of(), "")),
                List.of());
        return Sql.infix(Sql.call("coalesce", Sql.scalar(largest), Sql.integer(0)), "+", number);
    }

    /** Drops an existing table or view that a definition replaces; returns false if it must be kept. */
    boolean dropExisting(Token name, Statement.IfExists ifExists, StatementContext context) {
        if (library) {
            return true;
        }
        Catalog.Relation taken = resolver.catalog().relations.get(key(name));
        if (taken == null && !resolver.hasRelation(name.text())) {
            return true;
        }
        if (ifExists == Statement.IfExists.KEEP) {
            return false;
        }
        if (ifExists == Statement.IfExists.FAIL || taken == null || taken.builtIn()) {
            String which = taken == null || taken.builtIn() ? ", and it cannot be replaced" : "";
            throw PerfettoSqlException.at(name, "table or view already exists: " + name.text() + which);
        }
        drop(taken, context, name);
        return true;
    }

    /** Whether the engine can replace a table atomically, which the new table may select from. */
    private boolean isReplaceable(Token name, Statement.IfExists ifExists) {
        Catalog.Relation taken = resolver.catalog().relations.get(key(name));
        return ifExists == Statement.IfExists.REPLACE
                && taken != null
                && taken.kind() == Catalog.Kind.TABLE
                && !taken.builtIn()
                && taken.parts().isEmpty();
    }

    private void drop(Catalog.Relation relation, StatementContext context, Token at) {
        boolean view = relation.kind() == Catalog.Kind.VIEW;
        resolver.add(new SqlStatement.Drop(view, relation.name()), context, at);
        relation.parts().forEach(part -> resolver.add(new SqlStatement.Drop(false, part), context, at));
    }

    /** Drops a table or view of the session; false if there is none. */
    boolean drop(Statement.Drop drop) {
        Catalog catalog = resolver.catalog();
        String key = key(drop.name());
        Catalog.Relation relation = catalog.relations.get(key);
        if (relation == null) {
            if (resolver.hasRelation(drop.name().text()) && !drop.ifExists()) {
                throw cannotDrop(drop);
            }
            return false;
        }
        if (relation.builtIn()) {
            throw cannotDrop(drop);
        }
        // in Perfetto a span join is dropped as a table; here it is a view
        drop(relation, new StatementContext(resolver), drop.at());
        catalog.relations.remove(key);
        return true;
    }

    static PerfettoSqlException cannotDrop(Statement.Drop drop) {
        return PerfettoSqlException.at(
                drop.name(), drop.name().text() + " belongs to the trace or to a module and cannot be dropped");
    }
}
