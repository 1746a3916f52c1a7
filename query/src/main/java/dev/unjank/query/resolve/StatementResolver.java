package dev.unjank.query.resolve;

import dev.unjank.query.function.ScalarFunctions;
import dev.unjank.query.parse.Macro;
import dev.unjank.query.print.FileSql;
import dev.unjank.query.print.SqlQuoting;
import dev.unjank.query.source.PerfettoSqlException;
import dev.unjank.query.source.Token;
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
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Statements into steps, and into what later statements can name. */
final class StatementResolver {
    private final NameResolver definitions;

    /** Whether the statements are the standard library's. */
    private final boolean library;

    StatementResolver(NameResolver definitions, boolean library) {
        this.definitions = definitions;
        this.library = library;
    }

    /** Notes what a statement of the library defines, to be made when it is named. */
    void note(Statement statement) {
        Catalog catalog = definitions.catalog();
        switch (statement) {
            case Statement.CreateTable table -> catalog.pending.put(key(table.name()), table);
            case Statement.CreateView view -> catalog.pending.put(key(view.name()), view);
            case Statement.CreateSpanJoin join -> catalog.pending.put(key(join.name()), join);
            default -> define(statement);
        }
    }

    void define(Statement statement) {
        switch (statement) {
            case Statement.Ask ask -> ask(ask);
            case Statement.Include include -> definitions.include(include.at(), include.module());
            case Statement.CreateTable table ->
                create(table.at(), table.name(), table.ifTaken(), Catalog.Kind.TABLE, table.schema(), table.query());
            case Statement.CreateView view ->
                create(view.at(), view.name(), view.ifTaken(), Catalog.Kind.VIEW, view.schema(), view.query());
            case Statement.CreateEmptyTable table -> createEmpty(table);
            case Statement.Insert insert -> insert(insert);
            case Statement.CreateFunction function -> createFunction(function);
            case Statement.CreateMacro macro -> createMacro(macro);
            case Statement.CreateIndex index -> createIndex(index);
            case Statement.CreateSpanJoin join -> new SpanJoinResolver(definitions, this, library).create(join);
            case Statement.Drop drop -> drop(drop);
            case Statement.Copy copy -> copy(copy);
        }
    }

    private static String key(Token name) {
        return Scope.lower(name.text());
    }

    private void ask(Statement.Ask ask) {
        StatementContext translation = new StatementContext(definitions);
        TypedQuery rows = new QueryResolver(translation).query(ask.query(), null, List.of(), false);
        definitions.addQuery(rows.sql(), rows.columns(), translation, ask.at());
    }

    private void copy(Statement.Copy copy) {
        FileFormat format = FileFormat.of(copy.file().text());
        if (format == null) {
            throw PerfettoSqlException.at(copy.file(), "expected a name that ends in .csv, .json or .parquet");
        }
        StatementContext translation = new StatementContext(definitions);
        TypedQuery rows = new QueryResolver(translation).query(copy.query(), null, List.of(), true);
        try {
            String path = definitions.files().write(copy.file().text());
            definitions.add(FileSql.copy(format, rows.sql(), path), translation, copy.at());
        } catch (IOException e) {
            throw PerfettoSqlException.at(copy.file(), String.valueOf(e.getMessage()), e);
        }
    }

    // Tables and views

    /** Makes room for a name; false if what is there shall stay. */
    boolean makeRoom(Token name, Statement.IfTaken ifTaken, StatementContext translation) {
        if (library) {
            return true;
        }
        Catalog.Relation taken = definitions.catalog().relations.get(key(name));
        if (taken == null && !definitions.hasRelation(name.text())) {
            return true;
        }
        if (ifTaken == Statement.IfTaken.KEEP) {
            return false;
        }
        if (ifTaken == Statement.IfTaken.FAIL || taken == null || taken.lasting()) {
            String which = taken == null || taken.lasting() ? " and it cannot be replaced" : "";
            throw PerfettoSqlException.at(name, "there is already a table or view " + name.text() + which);
        }
        drop(taken, translation, name);
        return true;
    }

    /** Whether the engine can put a table in the place of one of that name, which the new one's rows may come from. */
    private boolean isReplaceable(Token name, Statement.IfTaken ifTaken) {
        Catalog.Relation taken = definitions.catalog().relations.get(key(name));
        return ifTaken == Statement.IfTaken.REPLACE
                && taken != null
                && taken.kind() == Catalog.Kind.TABLE
                && !taken.lasting()
                && taken.parts().isEmpty();
    }

    private void drop(Catalog.Relation relation, StatementContext translation, Token at) {
        String what = relation.kind() == Catalog.Kind.VIEW ? "VIEW " : "TABLE ";
        definitions.add("DROP " + what + relation.sql(), translation, at);
        relation.parts().forEach(part -> definitions.add("DROP TABLE " + SqlQuoting.name(part), translation, at));
    }

    private void create(
            Token at,
            Token name,
            Statement.IfTaken ifTaken,
            Catalog.Kind kind,
            List<Statement.Typed> schema,
            Query query) {
        StatementContext translation = new StatementContext(definitions);
        TypedQuery rows = new QueryResolver(translation).query(query, null, List.of(), true);
        for (Statement.Typed wanted : schema) {
            if (FromResolver.column(rows.columns(), wanted.name().text()) == null) {
                throw PerfettoSqlException.at(
                        wanted.name(),
                        "the query has no column " + wanted.name().text());
            }
        }
        boolean inPlace = kind == Catalog.Kind.TABLE && isReplaceable(name, ifTaken);
        if (!inPlace && !makeRoom(name, ifTaken, translation)) {
            return;
        }
        Catalog.Relation relation = new Catalog.Relation(key(name), kind, held(rows.columns()), library);
        String what =
                kind == Catalog.Kind.VIEW ? "CREATE VIEW " : inPlace ? "CREATE OR REPLACE TABLE " : "CREATE TABLE ";
        definitions.add(what + relation.sql() + " AS " + typed(rows), translation, at);
        definitions.catalog().relations.put(relation.name(), relation);
    }

    /** What a stored column of nothing but NULL is to those who read it. */
    static List<TypedColumn> held(List<TypedColumn> columns) {
        return columns.stream()
                .map(column -> column.type() == SqlType.NULL ? new TypedColumn(column.name(), SqlType.INT) : column)
                .toList();
    }

    /** A query whose columns of nothing but NULL have that type for the engine too. */
    private static String typed(TypedQuery rows) {
        String casts = rows.columns().stream()
                .filter(column -> column.type() == SqlType.NULL)
                .map(column ->
                        "CAST(" + SqlQuoting.name(column.name()) + " AS BIGINT) AS " + SqlQuoting.name(column.name()))
                .collect(Collectors.joining(", "));
        return casts.isEmpty() ? rows.sql() : "SELECT * REPLACE (" + casts + ") FROM (" + rows.sql() + ")";
    }

    private void createEmpty(Statement.CreateEmptyTable table) {
        StatementContext translation = new StatementContext(definitions);
        if (!makeRoom(table.name(), table.ifTaken(), translation)) {
            return;
        }
        List<TypedColumn> columns = new ArrayList<>();
        for (Statement.Typed typed : table.schema()) {
            SqlType type = typed.type().equals(typed.name())
                    ? SqlType.ANY
                    : SqlType.named(typed.type().text());
            if (FromResolver.column(columns, typed.name().text()) != null) {
                throw PerfettoSqlException.at(
                        typed.name(),
                        "there is already a column " + typed.name().text());
            }
            columns.add(new TypedColumn(typed.name().text(), type));
        }
        Catalog.Relation relation = new Catalog.Relation(key(table.name()), Catalog.Kind.TABLE, columns, library);
        String list = columns.stream()
                .map(column ->
                        SqlQuoting.name(column.name()) + " " + column.type().sql())
                .collect(Collectors.joining(", "));
        definitions.add("CREATE TABLE " + relation.sql() + " (" + list + ")", translation, table.at());
        definitions.catalog().relations.put(relation.name(), relation);
    }

    private void insert(Statement.Insert insert) {
        StatementContext translation = new StatementContext(definitions);
        Catalog.Relation table = translation.relation(insert.table());
        if (table.kind() != Catalog.Kind.TABLE || table.lasting()) {
            throw PerfettoSqlException.at(insert.table(), "expected a table that was created here");
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
        TypedQuery rows = new QueryResolver(translation).query(insert.query(), null, List.of(), true);
        if (rows.columns().size() != into.size()) {
            throw PerfettoSqlException.at(
                    insert.query().at(),
                    "expected " + into.size() + " columns, found "
                            + rows.columns().size());
        }
        String names =
                into.stream().map(column -> SqlQuoting.name(column.name())).collect(Collectors.joining(", "));
        String values = IntStream.range(0, into.size())
                .mapToObj(i -> TypedExpr.of("r.c" + i, rows.columns().get(i).type())
                        .as(into.get(i).type())
                        .sql())
                .collect(Collectors.joining(", "));
        String aliases = IntStream.range(0, into.size()).mapToObj(i -> "c" + i).collect(Collectors.joining(", "));
        definitions.add(
                "INSERT INTO " + table.sql() + " (" + names + ") SELECT " + values + " FROM (" + rows.sql() + ") AS r("
                        + aliases + ")",
                translation,
                insert.at());
    }

    // Functions, macros, indexes

    private void createFunction(Statement.CreateFunction function) {
        Catalog catalog = definitions.catalog();
        String key = key(function.name());
        Catalog.Function taken = library ? null : definitions.function(key);
        boolean fixed = ScalarFunctions.has(key) || (taken != null && taken.lasting());
        if (!library && (fixed || (taken != null && !function.replace()))) {
            throw PerfettoSqlException.at(
                    function.name(),
                    "there is already a function " + function.name().text()
                            + (fixed ? " and it cannot be replaced" : ""));
        }
        function.parameters().forEach(StatementResolver::checkType);
        List<Statement.Typed> columns = function.columns();
        if (columns != null) {
            columns.forEach(StatementResolver::checkType);
        }
        Token type = function.type();
        if (type != null) {
            checkType(type);
        }
        Catalog.Function defined = new Catalog.Function(
                function.name(),
                function.parameters(),
                type == null ? null : SqlType.named(type.text()),
                columns,
                function.body(),
                library);
        if (!library) {
            check(defined);
        }
        catalog.functions.put(key, defined);
    }

    private static void checkType(Statement.Typed typed) {
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
                            + ", expected BOOL, LONG, DOUBLE, STRING, BYTES, TIMESTAMP, DURATION, ID, JOINID or ARGSETID");
        }
    }

    /** Translates a function's body for arguments of its types, to find mistakes where they are made. */
    private void check(Catalog.Function function) {
        StatementContext translation = new StatementContext(definitions);
        Scope scope = new Scope(null);
        for (Statement.Typed parameter : function.parameters()) {
            SqlType type = SqlType.named(parameter.type().text());
            scope.parameters.put(key(parameter.name()), TypedExpr.of("CAST(NULL AS " + type.sql() + ")", type));
        }
        TypedQuery rows = new QueryResolver(translation).query(function.body(), scope, List.of(), true);
        List<Statement.Typed> columns = function.columns();
        if (columns == null && rows.columns().size() != 1) {
            throw PerfettoSqlException.at(
                    function.body().at(),
                    "expected a query of one column, found " + rows.columns().size() + " columns");
        }
        for (Statement.Typed column : columns == null ? List.<Statement.Typed>of() : columns) {
            if (FromResolver.column(rows.columns(), column.name().text()) == null) {
                throw PerfettoSqlException.at(
                        column.name(),
                        "the query has no column " + column.name().text());
            }
        }
    }

    private void createMacro(Statement.CreateMacro macro) {
        Catalog catalog = definitions.catalog();
        String key = key(macro.name());
        if (!library && definitions.macro(key) != null && !macro.replace()) {
            throw PerfettoSqlException.at(
                    macro.name(), "there is already a macro " + macro.name().text());
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

    /** A columnar engine needs no index; what it is on must be there all the same. */
    private void createIndex(Statement.CreateIndex index) {
        if (library) {
            return;
        }
        Catalog catalog = definitions.catalog();
        Catalog.Relation table = new StatementContext(definitions).relation(index.table());
        for (Token column : index.columns()) {
            if (FromResolver.column(table.columns(), column.text()) == null) {
                throw PerfettoSqlException.at(column, "no such column: " + column.text());
            }
        }
        if (!catalog.indexes.add(key(index.name())) && index.ifTaken() == Statement.IfTaken.FAIL) {
            throw PerfettoSqlException.at(
                    index.name(), "there is already an index " + index.name().text());
        }
    }

    private void drop(Statement.Drop drop) {
        Catalog catalog = definitions.catalog();
        String key = key(drop.name());
        boolean existed = switch (drop.kind()) {
            case "INDEX" -> catalog.indexes.remove(key);
            case "MACRO" -> catalog.macros.remove(key) != null;
            case "FUNCTION" -> {
                Catalog.Function function = definitions.function(key);
                if (function != null && function.lasting()) {
                    throw cannotDrop(drop);
                }
                yield catalog.functions.remove(key) != null;
            }
            default -> dropRelation(drop, catalog, key);
        };
        if (!existed && !drop.ifExists()) {
            throw PerfettoSqlException.at(
                    drop.name(),
                    "no such " + drop.kind().toLowerCase(Locale.ROOT) + ": "
                            + drop.name().text());
        }
    }

    private boolean dropRelation(Statement.Drop drop, Catalog catalog, String key) {
        Catalog.Relation relation = catalog.relations.get(key);
        if (relation == null) {
            if (definitions.hasRelation(drop.name().text()) && !drop.ifExists()) {
                throw cannotDrop(drop);
            }
            return false;
        }
        if (relation.lasting()) {
            throw cannotDrop(drop);
        }
        // Perfetto drops what a span join made as a table; here it is a view over its result
        drop(relation, new StatementContext(definitions), drop.at());
        catalog.relations.remove(key);
        return true;
    }

    private static PerfettoSqlException cannotDrop(Statement.Drop drop) {
        return PerfettoSqlException.at(
                drop.name(), drop.name().text() + " belongs to the trace or to a module and cannot be dropped");
    }
}
