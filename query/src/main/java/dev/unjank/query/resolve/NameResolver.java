package dev.unjank.query.resolve;

import dev.unjank.query.function.AggregateFunctions;
import dev.unjank.query.function.ScalarFunctions;
import dev.unjank.query.module.StandardLibrary;
import dev.unjank.query.module.UnsupportedNames;
import dev.unjank.query.parse.IntervalMacros;
import dev.unjank.query.parse.Lexer;
import dev.unjank.query.parse.Macro;
import dev.unjank.query.parse.MacroExpander;
import dev.unjank.query.parse.StatementParser;
import dev.unjank.query.print.PrintedSql;
import dev.unjank.query.source.NameSuggestion;
import dev.unjank.query.source.PerfettoSqlException;
import dev.unjank.query.source.Token;
import dev.unjank.query.tree.SpanJoinPlan;
import dev.unjank.query.tree.Statement;
import dev.unjank.query.tree.TypedColumn;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What names stand for: what statements have defined, the engine's tables, the standard library. A table or view of the library
 * comes into being only when something names it; the steps for that come before those of the statement that does.
 */
final class NameResolver {
    private static final int MAX_DEMANDS = 60;

    private final TableSource engine;
    private final FileSource files;
    private Catalog catalog = new Catalog();
    private List<EngineStep> steps = new ArrayList<>();
    private Catalog before = catalog;
    private int demands;
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

    /** Begins a statement of the user; if one of its steps fails, what it defined is forgotten. Returns what was defined before. */
    Catalog beginStatement() {
        before = catalog.copy();
        return before;
    }

    List<EngineStep> takeSteps() {
        List<EngineStep> taken = steps;
        steps = new ArrayList<>();
        return taken;
    }

    void add(PrintedSql.Marked sql, StatementContext translation, Token at) {
        steps.add(EngineStep.command(sql, translation.tables, at, before));
    }

    void add(String sql, StatementContext translation, Token at) {
        add(translation.marks.resolve(sql), translation, at);
    }

    void addQuery(String sql, List<TypedColumn> columns, StatementContext translation, Token at) {
        steps.add(EngineStep.query(translation.marks.resolve(sql), columns, translation.tables, at, before));
    }

    void addSpanJoin(SpanJoinPlan plan, StatementContext translation, Token at) {
        steps.add(EngineStep.spanJoin(plan, translation.tables, at, before));
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
        readFor(key, this::isRelation);
        return isRelation(key);
    }

    private boolean isRelation(String key) {
        return catalog.relations.containsKey(key) || catalog.pending.containsKey(key);
    }

    Catalog.Relation relation(Token name) {
        String key = Scope.lower(name.text());
        Catalog.Relation known = find(key, name);
        if (known == null) {
            throw PerfettoSqlException.at(name, "no such table: " + name.text() + hint(key, relationNames()));
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
        readFor(key, this::isRelation);
        Statement pending = catalog.pending.remove(key);
        if (pending == null) {
            return null;
        }
        if (++demands > MAX_DEMANDS) {
            throw PerfettoSqlException.at(name, "views within views, more than " + MAX_DEMANDS + " levels");
        }
        try {
            new StatementResolver(this, true).define(pending);
        } catch (PerfettoSqlException e) {
            throw PerfettoSqlException.at(name, "in " + name.text() + ": " + e.getMessage(), e);
        } finally {
            demands--;
        }
        return catalog.relations.get(key);
    }

    Catalog.@Nullable Function function(String name) {
        if (!ScalarFunctions.has(name)) {
            readFor(name, catalog.functions::containsKey);
        }
        return catalog.functions.get(name);
    }

    @Nullable
    Macro macro(String name) {
        readFor(name, catalog.macros::containsKey);
        Macro macro = catalog.macros.get(name);
        return macro == null ? IntervalMacros.ALL.get(name) : macro;
    }

    private Macro macro(Token call) {
        String name = Scope.lower(call.text());
        Macro macro = macro(name);
        if (macro == null) {
            throw PerfettoSqlException.at(
                    call,
                    "no such macro: " + call.text()
                            + hint(
                                    name,
                                    Stream.concat(
                                                    catalog.macros.keySet().stream(),
                                                    IntervalMacros.ALL.keySet().stream())
                                            .toList()));
        }
        return macro;
    }

    /** What to tell of a function that nothing has defined. */
    PerfettoSqlException noFunction(Token call) {
        return PerfettoSqlException.at(
                call, "no such function: " + call.text() + hint(Scope.lower(call.text()), functionNames()));
    }

    /** Where a name that is not known may be had, or which one was probably meant. */
    private static String hint(String name, Collection<String> known) {
        String module = StandardLibrary.homeOf(name);
        if (module != null) {
            return ": expected INCLUDE PERFETTO MODULE " + module + " before";
        }
        return absentOr(name, NameSuggestion.of(name, known));
    }

    /** What was probably meant, or why there is nothing of a name. */
    static String absentOr(String name, String suggestion) {
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
     * Reads included modules until a name is known that one of them may define: the module that lists it, or whatever includes
     * that one. Names with an underscore before them are in no list, and may be anywhere.
     */
    private void readFor(String name, Predicate<String> known) {
        String home = StandardLibrary.homeOf(name);
        if (home == null && !name.startsWith("_")) {
            return;
        }
        while (!known.test(name) && !catalog.unread.isEmpty() && !isRead(home)) {
            read(
                    home != null && catalog.unread.contains(home)
                            ? home
                            : catalog.unread.iterator().next());
        }
    }

    private boolean isRead(@Nullable String module) {
        return module != null && catalog.modules.contains(module) && !catalog.unread.contains(module);
    }

    private void readAll() {
        while (!catalog.unread.isEmpty()) {
            read(catalog.unread.iterator().next());
        }
    }

    /** Includes a module, or all that a pattern with a star names. */
    void include(Token at, String pattern) {
        List<String> modules = StandardLibrary.matching(pattern);
        if (modules.isEmpty()) {
            String wanted = Scope.lower(pattern);
            List<String> within = StandardLibrary.matching(wanted + ".*");
            throw PerfettoSqlException.at(
                    at,
                    "no such module: " + pattern
                            + (within.isEmpty()
                                    ? absentOr(wanted, NameSuggestion.of(wanted, StandardLibrary.names()))
                                    : ", did you mean " + String.join(" or ", within) + "?"));
        }
        modules.forEach(this::include);
    }

    private void include(String module) {
        if (catalog.modules.add(module)) {
            catalog.unread.add(module);
        }
    }

    private void read(String module) {
        catalog.unread.remove(module);
        StatementResolver translator = new StatementResolver(this, true);
        for (List<Token> tokens : Lexer.statements(StandardLibrary.read(module))) {
            translator.note(parse(tokens));
        }
    }

    Statement parse(List<Token> tokens) {
        // a macro's own body is expanded where the macro is called
        boolean macro = tokens.stream().limit(6).anyMatch(token -> token.isWord("MACRO"));
        return StatementParser.parse(macro ? tokens : MacroExpander.expand(tokens, this::macro));
    }
}
