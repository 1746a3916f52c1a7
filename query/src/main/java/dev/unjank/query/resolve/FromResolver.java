package dev.unjank.query.resolve;

import dev.unjank.query.function.AggregateFunctions;
import dev.unjank.query.function.SqliteComparison;
import dev.unjank.query.print.SqlQuoting;
import dev.unjank.query.source.PerfettoSqlException;
import dev.unjank.query.source.Token;
import dev.unjank.query.tree.Expr;
import dev.unjank.query.tree.FileFormat;
import dev.unjank.query.tree.Query;
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

    String translate(Query.From from, Scope scope) {
        return switch (from) {
            case Query.Table table -> table(table, scope);
            case Query.TableCall call -> call(call, scope);
            case Query.Nested nested -> {
                TypedQuery rows = queries.query(nested.query(), scope.outer, List.of(), true);
                yield nested(
                        rows,
                        nested.alias() == null ? "subquery" : nested.alias().text(),
                        scope,
                        "");
            }
            case Query.Join join -> join(join, scope);
        };
    }

    private String table(Query.Table table, Scope scope) {
        Token name = table.at();
        String shown = table.alias() == null ? name.text() : table.alias().text();
        Scope.CommonTable common = scope.commonTable(name.text());
        String sql;
        List<TypedColumn> columns;
        if (common != null) {
            common.used = true;
            sql = common.sql;
            columns = common.columns;
        } else {
            if (!context.resolver.hasRelation(name.text()) && isTableFunction(name)) {
                return call(new Query.TableCall(name, List.of(), table.alias()), scope);
            }
            Catalog.Relation relation = context.relation(name);
            sql = context.mark(name) + relation.sql();
            columns = relation.columns();
        }
        String alias = context.names.fresh(shown);
        addSource(shown, alias, columns, scope);
        return sql + " AS " + alias;
    }

    private boolean isTableFunction(Token name) {
        Catalog.Function function = context.resolver.function(Scope.lower(name.text()));
        return function != null && function.columns() != null;
    }

    private static void addSource(String shown, String alias, List<TypedColumn> columns, Scope scope) {
        List<Scope.Field> fields = new ArrayList<>();
        for (TypedColumn column : columns) {
            TypedExpr code = new TypedExpr(alias + "." + SqlQuoting.name(column.name()), column.type(), true);
            fields.add(new Scope.Field(column.name(), code, false));
        }
        scope.sources.add(new Scope.Source(shown, fields));
    }

    private String nested(TypedQuery rows, String shown, Scope scope, String lateral) {
        String alias = context.names.fresh(shown);
        addSource(shown, alias, rows.columns(), scope);
        return lateral + "(" + rows.sql() + ") AS " + alias;
    }

    private String call(Query.TableCall call, Scope scope) {
        Catalog.Function function =
                context.resolver.function(Scope.lower(call.at().text()));
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
        return nested(new TypedQuery(rows.sql(), columns, false), shown, scope, lateral ? "LATERAL " : "");
    }

    /** {@code read_csv('x.csv')}, {@code read_json} and {@code read_parquet}. */
    private String file(Query.TableCall call, FileFormat format, Scope scope) {
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
        String items = file.columns().stream()
                .map(column -> {
                    String field = SqlQuoting.name(column.name());
                    return "CAST(" + source + "." + field + " AS "
                            + column.type().sql() + ") AS " + field;
                })
                .collect(Collectors.joining(", "));
        String sql = context.mark(name) + "SELECT " + items + " FROM " + file.sql() + " AS " + source;
        String shown = call.alias() == null ? call.at().text() : call.alias().text();
        return nested(new TypedQuery(sql, file.columns(), false), shown, scope, "");
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

    private String join(Query.Join join, Scope scope) {
        String left = translate(join.left(), scope);
        int leftSources = scope.sources.size();
        String right = translate(join.right(), scope);
        if (join.right() instanceof Query.Join) {
            right = "(" + right + ")";
        }
        List<String> conditions = new ArrayList<>();
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
            return left + " CROSS JOIN " + right;
        }
        String kind = join.kind().equals("CROSS") ? "INNER" : join.kind();
        return left + " " + kind + " JOIN " + right + " ON "
                + (conditions.isEmpty() ? "TRUE" : String.join(" AND ", conditions));
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
    private static String merge(Token name, String kind, Scope scope, int leftSources) {
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
                            "coalesce(" + leftCode.asResult().sql() + ", "
                                    + right.expr().asResult().sql() + ")",
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
