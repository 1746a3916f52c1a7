package dev.unjank.query.resolve;

import dev.unjank.query.module.StandardLibrary;
import dev.unjank.query.parse.Macro;
import dev.unjank.query.print.SqlQuoting;
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

/** What the statements so far have defined, by name in lower case. */
final class Catalog {
    enum Kind {
        /** The engine's own. */
        BASE,
        TABLE,
        VIEW
    }

    /** A table or a view; {@code lasting} if no statement can drop it. The tables {@code parts} are there for it alone. */
    record Relation(String name, Kind kind, List<TypedColumn> columns, boolean lasting, List<String> parts) {
        Relation(String name, Kind kind, List<TypedColumn> columns, boolean lasting) {
            this(name, kind, columns, lasting, List.of());
        }

        String sql() {
            return SqlQuoting.name(name);
        }
    }

    /** A function; of a table if {@code columns} is not null. */
    record Function(
            Token name,
            List<Statement.Typed> parameters,
            @Nullable SqlType type,
            @Nullable List<Statement.Typed> columns,
            Query body,
            boolean lasting) {}

    final Map<String, Relation> relations = new HashMap<>();
    final Map<String, Function> functions = new HashMap<>();
    final Map<String, Macro> macros = new HashMap<>();
    final Set<String> indexes = new HashSet<>();
    /** Modules that are included. */
    final Set<String> modules = new HashSet<>(Set.of(StandardLibrary.PRELUDE));

    /** Those of them that nobody has needed anything of yet, and whose text has not been read. */
    final Set<String> unread = new LinkedHashSet<>(modules);

    /** What modules define as tables or views, and nobody has named yet. */
    final Map<String, Statement> pending = new HashMap<>();

    Catalog copy() {
        Catalog copy = new Catalog();
        copy.relations.putAll(relations);
        copy.functions.putAll(functions);
        copy.macros.putAll(macros);
        copy.indexes.addAll(indexes);
        copy.modules.addAll(modules);
        copy.unread.clear();
        copy.unread.addAll(unread);
        copy.pending.putAll(pending);
        return copy;
    }

    /** All that could stand after FROM, but the engine's. */
    List<String> relationNames() {
        List<String> names = new ArrayList<>(relations.keySet());
        names.addAll(pending.keySet());
        functions.forEach((name, function) -> {
            if (function.columns() != null) {
                names.add(name);
            }
        });
        return names;
    }
}
