package dev.unjank.query.resolve;

import dev.unjank.query.function.AggregateFunctions;
import dev.unjank.query.function.SqliteComparison;
import dev.unjank.query.graph.GraphFunctions;
import dev.unjank.query.source.PerfettoSqlException;
import dev.unjank.query.source.Token;
import dev.unjank.query.tree.Expr;
import dev.unjank.query.tree.FileFormat;
import dev.unjank.query.tree.Query;
import dev.unjank.query.tree.Sql;
import dev.unjank.query.tree.SqlQuery;
import dev.unjank.query.tree.SqlType;
import dev.unjank.query.tree.Statement;
import dev.unjank.query.tree.TypedColumn;
import dev.unjank.query.tree.TypedExpr;
import dev.unjank.query.tree.TypedQuery;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Translates FROM clauses: tables, table functions, subqueries and joins. Adds each to the scope. */
final class FromResolver {
    private final QueryResolver queries;
    private final ExpressionResolver expressions;
    private final StatementContext context;

    FromResolver(QueryResolver queries, ExpressionResolver expressions) {
        this.queries = queries;
        this.expressions = expressions;
        this.context = queries.context();
    }

    SqlQuery.Source translate(Query.From from, Scope scope) {
        return switch (from) {
            case Query.Table table -> table(table, scope);
            case Query.TableCall call -> call(call, scope);
            case Query.Nested nested -> {
                TypedQuery rows = queries.query(nested.query(), scope.outer, List.of(), true);
                yield nested(
                        rows,
                        nested.alias() == null ? "subquery" : nested.alias().text(),
                        scope,
                        null,
                        false);
            }
            case Query.Join join -> join(join, scope);
        };
    }

    private SqlQuery.Source table(Query.Table table, Scope scope) {
        Token name = table.at();
        String shown = table.alias() == null ? name.text() : table.alias().text();
        Scope.CommonTable common = scope.commonTable(name.text());
        String alias;
        SqlQuery.Source source;
        if (common != null) {
            common.used = true;
            alias = addSource(shown, common.columns, scope);
            source = new SqlQuery.Table(null, common.alias, alias);
        } else {
            if (!context.resolver.hasRelation(name.text()) && isTableFunction(name)) {
                return call(new Query.TableCall(name, List.of(), table.alias()), scope);
            }
            Catalog.Relation relation = context.relation(name);
            alias = addSource(shown, relation.columns(), scope);
            source = new SqlQuery.Table(context.position(name), relation.name(), alias);
        }
        return source;
    }

    private boolean isTableFunction(Token name) {
        Catalog.Function function = context.resolver.function(Scope.lower(name.text()));
        return function != null && function.columns() != null;
    }

    /** Adds a table to the scope, and returns its alias in DuckDB's SQL. */
    private String addSource(String shown, List<TypedColumn> columns, Scope scope) {
        String alias = context.names.fresh(shown);
        List<Scope.Field> fields = new ArrayList<>();
        for (TypedColumn column : columns) {
            TypedExpr code = new TypedExpr(Sql.column(alias, column.name()), column.type(), true);
            fields.add(new Scope.Field(column.name(), code, false));
        }
        scope.sources.add(new Scope.Source(shown, fields));
        return alias;
    }

    private SqlQuery.Source nested(TypedQuery rows, String shown, Scope scope, @Nullable Token at, boolean lateral) {
        return new SqlQuery.Nested(at, lateral, rows.query(), addSource(shown, rows.columns(), scope), List.of());
    }

    private SqlQuery.Source call(Query.TableCall call, Scope scope) {
        Catalog.Function function =
                context.resolver.function(Scope.lower(call.at().text()));
        GraphFunctions.Entry graph = GraphFunctions.named(Scope.lower(call.at().text()));
        if (function == null && TableInfo.NAME.equalsIgnoreCase(call.at().text())) {
            String shown = call.alias() == null ? TableInfo.NAME : call.alias().text();
            return nested(TableInfo.rows(call, context), shown, scope, null, false);
        }
        if (function == null && graph != null) {
            return graph(call, graph, scope);
        }
        if (function == null) {
            FileFormat format = FileFormat.readBy(Scope.lower(call.at().text()));
            if (format != null) {
                return file(call, format, scope);
            }
            throw context.resolver.unknownFunction(call.at());
        }
        List<Statement.TypedName> declared = function.columns();
        if (declared == null) {
            throw PerfettoSqlException.at(
                    call.at(), call.at().text() + " returns one value: expected a table function");
        }
        List<TypedExpr> arguments = new ArrayList<>();
        call.arguments().forEach(argument -> arguments.add(expressions.translate(argument, scope)));
        Scope body = CallResolver.bodyScope(call.at(), function, call.arguments(), arguments);
        TypedQuery rows = context.inlined(call.at(), () -> queries.query(function.body(), body, List.of(), true));
        List<TypedColumn> columns = declaredColumns(function, declared, rows);
        String shown = call.alias() == null ? call.at().text() : call.alias().text();
        boolean lateral =
                !scope.sources.isEmpty() && call.arguments().stream().anyMatch(AggregateFunctions::dependsOnRow);
        return nested(new TypedQuery(rows.query(), columns, false), shown, scope, null, lateral);
    }

    /** A function on graphs: the rows of the string that it returns. */
    private SqlQuery.Source graph(Query.TableCall call, GraphFunctions.Entry graph, Scope scope) {
        if (call.arguments().size() != 2) {
            throw PerfettoSqlException.at(
                    call.at(),
                    "expected two arguments, found " + call.arguments().size());
        }
        List<Sql> arguments = call.arguments().stream()
                .map(argument -> expressions.translate(argument, scope).text().sql())
                .map(text -> Sql.call("coalesce", text, Sql.text("")))
                .toList();
        Sql text = Sql.macro(graph.engineName(), arguments.get(0), arguments.get(1));
        Sql lines = Sql.call("unnest", Sql.call("string_split", text, Sql.text(";")));
        String source = context.names.fresh("graph");
        SqlQuery split =
                new SqlQuery.Select(false, List.of(new SqlQuery.Item(lines, "line")), null, null, List.of(), null);
        List<TypedColumn> columns = graph.columns().stream()
                .map(name -> new TypedColumn(name, SqlType.INT))
                .toList();
        List<SqlQuery.Item> items = new ArrayList<>();
        for (TypedColumn column : columns) {
            Sql field = Sql.call("split_part", Sql.column(source, "line"), Sql.text(" "), Sql.bare(items.size() + 1));
            items.add(new SqlQuery.Item(Sql.cast(Sql.call("nullif", field, Sql.text("")), SqlType.INT), column.name()));
        }
        SqlQuery rows = SqlQuery.Select.of(items, SqlQuery.Nested.of(split, source, List.of()));
        String shown = call.alias() == null ? call.at().text() : call.alias().text();
        return nested(new TypedQuery(rows, columns, false), shown, scope, null, false);
    }

    /** {@code read_csv('x.csv')}, {@code read_json} and {@code read_parquet}. */
    private SqlQuery.Source file(Query.TableCall call, FileFormat format, Scope scope) {
        boolean named = call.arguments().size() == 1
                && call.arguments().getFirst() instanceof Expr.Literal literal
                && literal.at().kind() == Token.Kind.STRING;
        if (!named) {
            throw PerfettoSqlException.at(call.at(), "expected the name of a file in single quotes");
        }
        Token name = call.arguments().getFirst().at();
        FileSource.FileTable file;
        try {
            file = context.resolver.files().read(format, name.text());
        } catch (IOException e) {
            throw PerfettoSqlException.at(name, String.valueOf(e.getMessage()), e);
        }
        String source = context.names.fresh("file");
        List<SqlQuery.Item> items = file.columns().stream()
                .map(column ->
                        new SqlQuery.Item(Sql.cast(Sql.column(source, column.name()), column.type()), column.name()))
                .toList();
        SqlQuery rows = SqlQuery.Select.of(items, new SqlQuery.File(file.format(), file.path(), source));
        String shown = call.alias() == null ? call.at().text() : call.alias().text();
        return nested(new TypedQuery(rows, file.columns(), false), shown, scope, context.position(name), false);
    }

    private static List<TypedColumn> declaredColumns(
            Catalog.Function function, List<Statement.TypedName> declared, TypedQuery rows) {
        List<TypedColumn> columns = new ArrayList<>();
        for (Statement.TypedName wanted : declared) {
            TypedColumn found = column(rows.columns(), wanted.name().text());
            if (found == null) {
                throw PerfettoSqlException.at(
                        wanted.name(),
                        "the body of " + function.name().text() + " has no column "
                                + wanted.name().text());
            }
            columns.add(found);
        }
        return columns;
    }

    static @Nullable TypedColumn column(List<TypedColumn> columns, String name) {
        return columns.stream()
                .filter(column -> column.name().equalsIgnoreCase(name))
                .findFirst()
                .orElse(null);
    }

    // Joins

    private SqlQuery.Source join(Query.Join join, Scope scope) {
        SqlQuery.Source left = translate(join.left(), scope);
        int leftSources = scope.sources.size();
        SqlQuery.Source right = translate(join.right(), scope);
        List<Sql> conditions = new ArrayList<>();
        List<Token> using = join.natural() ? common(join, scope, leftSources) : join.using();
        for (Token name : using) {
            conditions.add(merge(name, join.kind(), scope, leftSources));
        }
        if (join.on() != null) {
            conditions.add(expressions.translate(join.on(), scope).asCondition());
        }
        boolean cross = conditions.isEmpty()
                && (join.kind().equals("INNER") || join.kind().equals("CROSS"));
        if (cross) {
            return new SqlQuery.Join("CROSS", left, right, null);
        }
        String kind = join.kind().equals("CROSS") ? "INNER" : join.kind();
        return new SqlQuery.Join(kind, left, right, conditions.isEmpty() ? Sql.TRUE : Sql.all(conditions, "AND"));
    }

    private static List<Token> common(Query.Join join, Scope scope, int leftSources) {
        return scope.sources.subList(leftSources, scope.sources.size()).stream()
                .flatMap(source -> source.fields().stream())
                .filter(field -> visible(scope.sources.subList(0, leftSources), field.name()) != null)
                .map(field -> new Token(
                        Token.Kind.QUOTED_WORD,
                        field.name(),
                        join.at().source(),
                        join.at().start(),
                        join.at().end(),
                        join.at().callSite()))
                .collect(Collectors.toList());
    }

    private static Scope.@Nullable Field visible(List<Scope.Source> sources, String name) {
        for (Scope.Source source : sources) {
            Scope.Field field = source.field(name);
            if (field != null && !field.merged()) {
                return field;
            }
        }
        return null;
    }

    /** Merges two columns, as USING requires, and returns the join condition. */
    private static Sql merge(Token name, String kind, Scope scope, int leftSources) {
        Scope.Field left = visible(scope.sources.subList(0, leftSources), name.text());
        List<Scope.Source> rights = scope.sources.subList(leftSources, scope.sources.size());
        Scope.Field right = visible(rights, name.text());
        if (left == null || right == null) {
            throw PerfettoSqlException.at(
                    name,
                    "no such column on the " + (left == null ? "left" : "right") + " of the join: " + name.text());
        }
        TypedExpr before = scope.mergedColumns.get(Scope.lower(name.text()));
        TypedExpr leftCode = before == null ? left.expr() : before;
        if (kind.equals("FULL") || kind.equals("RIGHT")) {
            SqlType type = leftCode.asResult()
                    .type()
                    .commonType(right.expr().asResult().type());
            scope.mergedColumns.put(
                    Scope.lower(name.text()),
                    new TypedExpr(
                            Sql.call(
                                    "coalesce",
                                    leftCode.asResult().sql(),
                                    right.expr().asResult().sql()),
                            type,
                            true));
        }
        for (int i = 0; i < rights.size(); i++) {
            Scope.Source source = rights.get(i);
            List<Scope.Field> fields = source.fields().stream()
                    .map(field -> field.equals(right) ? new Scope.Field(field.name(), field.expr(), true) : field)
                    .toList();
            scope.sources.set(leftSources + i, new Scope.Source(source.name(), fields));
        }
        return SqliteComparison.compare(leftCode, "=", right.expr()).sql();
    }
}
