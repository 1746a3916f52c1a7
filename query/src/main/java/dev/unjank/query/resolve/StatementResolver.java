package dev.unjank.query.resolve;

import dev.unjank.query.source.PerfettoSqlException;
import dev.unjank.query.source.Token;
import dev.unjank.query.tree.FileFormat;
import dev.unjank.query.tree.SqlStatement;
import dev.unjank.query.tree.Statement;
import dev.unjank.query.tree.TypedQuery;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/** Translates statements to steps; those that define something go to the resolver of its kind. */
final class StatementResolver {
    private final NameResolver resolver;
    private final RelationResolver relations;
    private final FunctionResolver functions;
    private final SpanJoinResolver spanJoins;

    /** Whether the statements belong to the standard library. */
    private final boolean library;

    StatementResolver(NameResolver definitions, boolean library) {
        this.resolver = definitions;
        this.library = library;
        relations = new RelationResolver(definitions, library);
        functions = new FunctionResolver(definitions, library);
        spanJoins = new SpanJoinResolver(definitions, relations, library);
    }

    /** Records a definition of the library, to be translated on first use. */
    void declareLazily(Statement statement) {
        Catalog catalog = resolver.catalog();
        switch (statement) {
            case Statement.CreateTable table -> catalog.lazyStatements.put(key(table.name()), table);
            case Statement.CreateView view -> catalog.lazyStatements.put(key(view.name()), view);
            case Statement.CreateSpanJoin join -> catalog.lazyStatements.put(key(join.name()), join);
            default -> resolve(statement);
        }
    }

    void resolve(Statement statement) {
        switch (statement) {
            case Statement.RunQuery ask -> runQuery(ask);
            case Statement.Include include -> resolver.include(include.at(), include.module());
            case Statement.CreateTable table -> relations.create(table);
            case Statement.CreateView view -> relations.create(view);
            case Statement.CreateEmptyTable table -> relations.create(table);
            case Statement.Insert insert -> relations.insert(insert);
            case Statement.CreateFunction function -> functions.create(function);
            case Statement.CreateDelegate delegate -> functions.create(delegate);
            case Statement.CreateMacro macro -> functions.create(macro);
            case Statement.CreateIndex index -> createIndex(index);
            case Statement.CreateSpanJoin join -> spanJoins.create(join);
            case Statement.Drop drop -> drop(drop);
            case Statement.Copy copy -> copy(copy);
        }
    }

    private static String key(Token name) {
        return Scope.lower(name.text());
    }

    private void runQuery(Statement.RunQuery ask) {
        StatementContext context = new StatementContext(resolver);
        TypedQuery rows = new QueryResolver(context).query(ask.query(), null, List.of(), false);
        resolver.addQuery(rows, context, ask.at());
    }

    private void copy(Statement.Copy copy) {
        FileFormat format = FileFormat.of(copy.file().text());
        if (format == null) {
            throw PerfettoSqlException.at(copy.file(), "expected a name that ends in .csv, .json or .parquet");
        }
        StatementContext context = new StatementContext(resolver);
        TypedQuery rows = new QueryResolver(context).query(copy.query(), null, List.of(), true);
        try {
            String path = resolver.files().write(copy.file().text());
            resolver.add(new SqlStatement.Copy(rows.query(), format, path), context, copy.at());
        } catch (IOException e) {
            throw PerfettoSqlException.at(copy.file(), String.valueOf(e.getMessage()), e);
        }
    }

    /** Validates an index; a columnar engine does not need it. */
    private void createIndex(Statement.CreateIndex index) {
        if (library) {
            return;
        }
        Catalog catalog = resolver.catalog();
        Catalog.Relation table = new StatementContext(resolver).relation(index.table());
        for (Token column : index.columns()) {
            if (FromResolver.column(table.columns(), column.text()) == null) {
                throw PerfettoSqlException.at(column, "no such column: " + column.text());
            }
        }
        if (!catalog.indexes.add(key(index.name())) && index.ifExists() == Statement.IfExists.FAIL) {
            throw PerfettoSqlException.at(
                    index.name(), "index already exists: " + index.name().text());
        }
    }

    private void drop(Statement.Drop drop) {
        Catalog catalog = resolver.catalog();
        String key = key(drop.name());
        boolean existed = switch (drop.kind()) {
            case "INDEX" -> catalog.indexes.remove(key);
            case "MACRO" -> catalog.macros.remove(key) != null;
            case "FUNCTION" -> functions.drop(drop);
            default -> relations.drop(drop);
        };
        if (!existed && !drop.ifExists()) {
            throw PerfettoSqlException.at(
                    drop.name(),
                    "no such " + drop.kind().toLowerCase(Locale.ROOT) + ": "
                            + drop.name().text());
        }
    }
}
