package dev.unjank.query.resolve;

import dev.unjank.query.function.ScalarFunctions;
import dev.unjank.query.parse.Macro;
import dev.unjank.query.source.PerfettoSqlException;
import dev.unjank.query.source.Token;
import dev.unjank.query.tree.Sql;
import dev.unjank.query.tree.SqlType;
import dev.unjank.query.tree.Statement;
import dev.unjank.query.tree.TypedExpr;
import dev.unjank.query.tree.TypedQuery;
import java.util.List;

/** Records the definitions of functions and macros. */
final class FunctionResolver {
    private final NameResolver resolver;

    /** Whether the statements belong to the standard library. */
    private final boolean library;

    FunctionResolver(NameResolver definitions, boolean library) {
        this.resolver = definitions;
        this.library = library;
    }

    private static String key(Token name) {
        return Scope.lower(name.text());
    }

    void create(Statement.CreateFunction function) {
        Catalog catalog = resolver.catalog();
        String key = key(function.name());
        Catalog.Function taken = library ? null : resolver.function(key);
        boolean fixed = ScalarFunctions.has(key) || (taken != null && taken.builtIn());
        if (!library && (fixed || (taken != null && !function.replace()))) {
            throw PerfettoSqlException.at(
                    function.name(),
                    "function already exists: " + function.name().text()
                            + (fixed ? ", and it cannot be replaced" : ""));
        }
        function.parameters().forEach(FunctionResolver::checkType);
        List<Statement.TypedName> columns = function.columns();
        if (columns != null) {
            columns.forEach(FunctionResolver::checkType);
        }
        Token type = function.type();
        if (type != null) {
            checkType(type);
        }
        Catalog.Function defined = new Catalog.Function(
                function.name(),
                function.parameters(),
                type == null ? null : SqlType.ofName(type.text()),
                columns,
                function.body(),
                library);
        if (!library && !ConstantEvaluator.isRecursive(key, function.body())) {
            check(defined);
        }
        catalog.functions.put(key, defined);
    }

    void create(Statement.CreateDelegate delegate) {
        Catalog catalog = resolver.catalog();
        String key = key(delegate.name());
        String target = key(delegate.target());
        if (!library && !delegate.replace() && (catalog.delegates.containsKey(key) || resolver.hasFunction(key))) {
            throw PerfettoSqlException.at(
                    delegate.name(),
                    "function already exists: " + delegate.name().text());
        }
        if (!resolver.hasFunction(target)) {
            throw resolver.unknownFunction(delegate.target());
        }
        catalog.delegates.put(key, target);
    }

    private static void checkType(Statement.TypedName typed) {
        if (typed.type().equals(typed.name())) {
            throw PerfettoSqlException.at(
                    typed.name(), "expected a type after " + typed.name().text());
        }
        checkType(typed.type());
    }

    private static void checkType(Token type) {
        if (!SqlType.isName(type.text())) {
            throw PerfettoSqlException.at(
                    type,
                    "no such type: " + type.text()
                            + ", expected BOOL, LONG, DOUBLE, STRING, BYTES, TIMESTAMP, DURATION, ID, JOINID or"
                            + " ARGSETID");
        }
    }

    /** Translates a function's body for arguments of its types, to report errors at its definition. */
    private void check(Catalog.Function function) {
        StatementContext context = new StatementContext(resolver);
        Scope scope = new Scope(null);
        for (Statement.TypedName parameter : function.parameters()) {
            SqlType type = SqlType.ofName(parameter.type().text());
            scope.parameters.put(key(parameter.name()), TypedExpr.of(Sql.cast(Sql.NULL, type), type));
        }
        TypedQuery rows = new QueryResolver(context).query(function.body(), scope, List.of(), true);
        List<Statement.TypedName> columns = function.columns();
        if (columns == null && rows.columns().size() != 1) {
            throw PerfettoSqlException.at(
                    function.body().at(),
                    "expected a query of one column, found " + rows.columns().size() + " columns");
        }
        for (Statement.TypedName column : columns == null ? List.<Statement.TypedName>of() : columns) {
            if (FromResolver.column(rows.columns(), column.name().text()) == null) {
                throw PerfettoSqlException.at(
                        column.name(),
                        "the query has no column " + column.name().text());
            }
        }
    }

    void create(Statement.CreateMacro macro) {
        Catalog catalog = resolver.catalog();
        String key = key(macro.name());
        if (!library && resolver.macro(key) != null && !macro.replace()) {
            throw PerfettoSqlException.at(
                    macro.name(), "macro already exists: " + macro.name().text());
        }
        List<String> parameters = macro.parameters().stream()
                .map(parameter -> key(parameter.name()))
                .toList();
        for (Token token : macro.body()) {
            if (token.kind() == Token.Kind.PARAMETER && !parameters.contains(Scope.lower(token.text()))) {
                throw PerfettoSqlException.at(token, "no such parameter: $" + token.text());
            }
        }
        catalog.macros.put(key, new Macro.Written(parameters, macro.body()));
    }

    /** Drops a function of the session; false if there is none. */
    boolean drop(Statement.Drop drop) {
        String key = key(drop.name());
        Catalog.Function function = resolver.function(key);
        if (function != null && function.builtIn()) {
            throw RelationResolver.cannotDrop(drop);
        }
        return resolver.catalog().functions.remove(key) != null;
    }
}
