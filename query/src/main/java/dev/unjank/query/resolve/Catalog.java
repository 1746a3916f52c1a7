package dev.unjank.query.resolve;

import dev.unjank.query.module.StandardLibrary;
import dev.unjank.query.parse.Macro;
import dev.unjank.query.source.Token;
import dev.unjank.query.tree.Query;
import dev.unjank.query.tree.SqlType;
import dev.unjank.query.tree.Statement;
import dev.unjank.query.tree.TypedColumn;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Definitions made by the statements so far, by name in lower case. */
final class Catalog {
    enum Kind {
        /** A table of the engine. */
        BASE,
        TABLE,
        VIEW
    }

    /** A table or view. No statement can drop it if it is built in. {@code parts} are tables that exist only for it; {@code key} is
     * the column that numbers its rows.
     */
    record Relation(
            String name,
            Kind kind,
            List<TypedColumn> columns,
            boolean builtIn,
            List<String> parts,
            @Nullable String key) {
        Relation(String name, Kind kind, List<TypedColumn> columns, boolean lasting) {
            this(name, kind, columns, lasting, List.of(), null);
        }
    }

    /** A function; a table function if {@code columns} is not null. */
    record Function(
            Token name,
            List<Statement.TypedName> parameters,
            @Nullable SqlType type,
            @Nullable List<Statement.TypedName> columns,
            Query body,
            boolean builtIn) {}

    final Map<String, Relation> relations = new HashMap<>();
    final Map<String, Function> functions = new HashMap<>();
    final Map<String, Macro> macros = new HashMap<>();

    /** Functions by other names that DELEGATES TO gives them. */
    final Map<String, String> delegates = new HashMap<>();

    final Set<String> indexes = new HashSet<>();
    /** Included modules. */
    final Set<String> modules = new HashSet<>(Set.of(StandardLibrary.PRELUDE));

    /** Included modules that have not been read. */
    final Set<String> unreadModules = new LinkedHashSet<>(modules);

    /** Tables and views of modules that no statement has named; they are created on first use. */
    final Map<String, Statement> lazyStatements = new HashMap<>();

    Catalog copy() {
        Catalog copy = new Catalog();
        copy.relations.putAll(relations);
        copy.functions.putAll(functions);
        copy.macros.putAll(macros);
        copy.delegates.putAll(delegates);
        copy.indexes.addAll(indexes);
        copy.modules.addAll(modules);
        copy.unreadModules.clear();
        copy.unreadModules.addAll(unreadModules);
        copy.lazyStatements.putAll(lazyStatements);
        return copy;
    }

    /** Names of tables, views and table functions, without the engine's. */
    List<String> relationNames() {
        List<String> names = new ArrayList<>(relations.keySet());
        names.addAll(lazyStatements.keySet());
        functions.forEach((name, function) -> {
            if (function.columns() != null) {
                names.add(name);
            }
        });
        return names;
    }
}
