package dev.unjank.query.resolve;

import dev.unjank.query.function.AggregateFunctions;
import dev.unjank.query.function.ScalarFunctions;
import dev.unjank.query.module.StandardLibrary;
import dev.unjank.query.module.UnsupportedNames;
import dev.unjank.query.parse.BuiltInMacros;
import dev.unjank.query.parse.LegacyCalls;
import dev.unjank.query.parse.Lexer;
import dev.unjank.query.parse.Macro;
import dev.unjank.query.parse.MacroExpander;
import dev.unjank.query.parse.StatementParser;
import dev.unjank.query.print.DuckDbPrinter;
import dev.unjank.query.print.PrintedSql;
import dev.unjank.query.source.NameSuggestion;
import dev.unjank.query.source.PerfettoSqlException;
import dev.unjank.query.source.Token;
import dev.unjank.query.tree.SpanJoinPlan;
import dev.unjank.query.tree.SqlStatement;
import dev.unjank.query.tree.Statement;
import dev.unjank.query.tree.TypedColumn;
import dev.unjank.query.tree.TypedQuery;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Resolves names: definitions of statements, tables of the engine, and the standard library. Tables and views of the
 * library are created when a statement first names them; their steps precede those of the statement.
 */
final class NameResolver {
    private static final int MAX_NESTING = 60;

    private final TableSource engine;
    private final FileSource files;
    private Catalog catalog = new Catalog();
    private List<EngineStep> steps = new ArrayList<>();
    private Catalog catalogBefore = catalog;
    private int nestingDepth;
    private int spanJoins;

    NameResolver(TableSource engine, FileSource files) {
        this.engine = engine;
        this.files = files;
    }

    FileSource files() {
        return files;
    }

    Catalog catalog() {
        return catalog;
    }

    void restore(Catalog earlier) {
        catalog = earlier.copy();
    }

    /** Starts a user's statement. Returns the catalog before it, to restore if one of its steps fails. */
    Catalog beginStatement() {
        catalogBefore = catalog.copy();
        return catalogBefore;
    }

    List<EngineStep> takeSteps() {
        List<EngineStep> taken = steps;
        steps = new ArrayList<>();
        return taken;
    }

    void add(SqlStatement statement, StatementContext context, Token at) {
        steps.add(EngineStep.command(DuckDbPrinter.print(statement, at), context.tables, at, catalogBefore));
    }

    void addQuery(TypedQuery rows, StatementContext context, Token at) {
        PrintedSql printed = DuckDbPrinter.print(new SqlStatement.Run(rows.query()), at);
        steps.add(EngineStep.query(printed, rows.query(), rows.columns(), context.tables, at, catalogBefore));
    }

    void addSpanJoin(SpanJoinPlan plan, StatementContext context, Token at) {
        steps.add(EngineStep.spanJoin(plan, context.tables, at, catalogBefore));
    }

    int nextSpanJoin() {
        return ++spanJoins;
    }

    // Names

    boolean isView(Token name) {
        Catalog.Relation relation = catalog.relations.get(Scope.lower(name.text()));
        return relation != null && relation.kind() == Catalog.Kind.VIEW;
    }

    boolean hasRelation(String name) {
        String key = Scope.lower(name);
        if (engine.columns(key) != null) {
            return true;
        }
        readModuleDefining(key, this::isRelation);
        return isRelation(key);
    }

    private boolean isRelation(String key) {
        return catalog.relations.containsKey(key) || catalog.lazyStatements.containsKey(key);
    }

    Catalog.Relation relation(Token name) {
        String key = Scope.lower(name.text());
        Catalog.Relation known = find(key, name);
        if (known == null) {
            throw PerfettoSqlException.at(name, "no such table: " + name.text() + suggestion(key, relationNames()));
        }
        return known;
    }

    private Catalog.@Nullable Relation find(String key, Token name) {
        Catalog.Relation known = catalog.relations.get(key);
        if (known != null) {
            return known;
        }
        List<TypedColumn> columns = engine.columns(key);
        if (columns != null) {
            return new Catalog.Relation(key, Catalog.Kind.BASE, columns, true);
        }
        readModuleDefining(key, this::isRelation);
        Statement pending = catalog.lazyStatements.remove(key);
        if (pending == null) {
            return null;
        }
        if (++nestingDepth > MAX_NESTING) {
            throw PerfettoSqlException.at(name, "views nested too deeply: more than " + MAX_NESTING + " levels");
        }
        try {
            new StatementResolver(this, true).resolve(pending);
        } catch (PerfettoSqlException e) {
            throw PerfettoSqlException.at(name, "in " + name.text() + ": " + e.getMessage(), e);
        } finally {
            nestingDepth--;
        }
        return catalog.relations.get(key);
    }

    boolean hasFunction(String name) {
        return ScalarFunctions.has(name) || AggregateFunctions.isName(name) || function(name) != null;
    }

    Catalog.@Nullable Function function(String name) {
        if (!ScalarFunctions.has(name)) {
            readModuleDefining(name, catalog.functions::containsKey);
        }
        return catalog.functions.get(name);
    }

    @Nullable
    Macro macro(String name) {
        readModuleDefining(name, catalog.macros::containsKey);
        Macro macro = catalog.macros.get(name);
        return macro == null ? BuiltInMacros.ALL.get(name) : macro;
    }

    private Macro macro(Token call) {
        String name = Scope.lower(call.text());
        Macro macro = macro(name);
        if (macro == null) {
            throw PerfettoSqlException.at(
                    call,
                    "no such macro: " + call.text()
                            + suggestion(
                                    name,
                                    Stream.concat(catalog.macros.keySet().stream(), BuiltInMacros.ALL.keySet().stream())
                                            .toList()));
        }
        return macro;
    }

    /** The error for an unknown function. */
    PerfettoSqlException unknownFunction(Token call) {
        return PerfettoSqlException.at(
                call, "no such function: " + call.text() + suggestion(Scope.lower(call.text()), functionNames()));
    }

    /** The module to include for an unknown name, or a suggestion. */
    private static String suggestion(String name, Collection<String> known) {
        String module = StandardLibrary.moduleDefining(name);
        if (module != null) {
            return ": expected INCLUDE PERFETTO MODULE " + module + " before";
        }
        return suggestionOrReason(name, NameSuggestion.of(name, known));
    }

    /** A suggestion, or the reason why a name is not supported. */
    static String suggestionOrReason(String name, String suggestion) {
        String absent = suggestion.isEmpty() ? UnsupportedNames.reason(name) : null;
        return absent == null ? suggestion : ": " + absent;
    }

    List<String> functionNames() {
        readAll();
        return Stream.of(
                        ScalarFunctions.names().stream(),
                        AggregateFunctions.names(),
                        catalog.functions.keySet().stream())
                .flatMap(names -> names)
                .toList();
    }

    List<String> relationNames() {
        readAll();
        return Stream.concat(catalog.relationNames().stream(), engine.names().stream())
                .distinct()
                .sorted()
                .toList();
    }

    // Modules

    /**
     * Reads included modules until a name is defined: the module that lists it, or modules that include it. Names with
     * a leading underscore are not listed and may be in any module.
     */
    private void readModuleDefining(String name, Predicate<String> known) {
        String home = StandardLibrary.moduleDefining(name);
        if (home == null && !name.startsWith("_")) {
            return;
        }
        while (!known.test(name) && !catalog.unreadModules.isEmpty() && !isRead(home)) {
            read(
                    home != null && catalog.unreadModules.contains(home)
                            ? home
                            : catalog.unreadModules.iterator().next());
        }
    }

    private boolean isRead(@Nullable String module) {
        return module != null && catalog.modules.contains(module) && !catalog.unreadModules.contains(module);
    }

    private void readAll() {
        while (!catalog.unreadModules.isEmpty()) {
            read(catalog.unreadModules.iterator().next());
        }
    }

    /** Includes a module, or all modules that match a pattern. */
    void include(Token at, String pattern) {
        List<String> modules = StandardLibrary.matching(pattern);
        if (modules.isEmpty()) {
            String wanted = Scope.lower(pattern);
            List<String> within = StandardLibrary.matching(wanted + ".*");
            throw PerfettoSqlException.at(
                    at,
                    "no such module: " + pattern
                            + (within.isEmpty()
                                    ? suggestionOrReason(wanted, NameSuggestion.of(wanted, StandardLibrary.names()))
                                    : ", did you mean " + String.join(" or ", within) + "?"));
        }
        modules.forEach(this::include);
    }

    private void include(String module) {
        if (catalog.modules.add(module)) {
            catalog.unreadModules.add(module);
        }
    }

    private void read(String module) {
        catalog.unreadModules.remove(module);
        StatementResolver statements = new StatementResolver(this, true);
        for (List<Token> tokens : Lexer.statements(StandardLibrary.read(module))) {
            statements.declareLazily(parse(tokens));
        }
    }

    Statement parse(List<Token> tokens) {
        List<Token> replaced = LegacyCalls.replace(tokens);
        // a macro's body is expanded at its calls
        boolean macro = replaced.stream().limit(6).anyMatch(token -> token.isWord("MACRO"));
        return StatementParser.parse(macro ? replaced : MacroExpander.expand(replaced, this::macro));
    }
}
