package dev.unjank.query.engine;

import dev.unjank.query.function.SqliteMacros;
import dev.unjank.query.graph.GraphFunctions;
import dev.unjank.query.load.BulkLoad;
import dev.unjank.query.load.TableDefinition;
import dev.unjank.query.resolve.TableSource;
import dev.unjank.query.result.QueryException;
import dev.unjank.query.result.Rows;
import dev.unjank.query.tree.SqlType;
import dev.unjank.query.tree.TypedColumn;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Tables of a session, each loaded when a statement first names it. */
public final class TableCatalog implements TableSource {
    private static final Pattern WORD = Pattern.compile("[a-z_]+");

    private final DuckDbEngine engine;
    private final BulkLoad load;
    private final Map<String, TableDefinition> definitions = new TreeMap<>();
    private final Set<String> loaded = new HashSet<>();
    private final Set<String> macros = new HashSet<>();

    public TableCatalog(DuckDbEngine engine, BulkLoad load, Collection<TableDefinition> definitions) {
        this.engine = engine;
        this.load = load;
        definitions.forEach(definition -> this.definitions.put(definition.name(), definition));
    }

    @Override
    public @Nullable List<TypedColumn> columns(String table) {
        TableDefinition definition = definitions.get(table);
        return definition == null
                ? null
                : definition.columns().stream()
                        .map(column -> new TypedColumn(column.name(), type(column.type())))
                        .toList();
    }

    static SqlType type(Rows.Type type) {
        return switch (type) {
            case INTEGER -> SqlType.INT;
            case REAL -> SqlType.REAL;
            case TEXT -> SqlType.TEXT;
            case BLOB -> SqlType.BLOB;
        };
    }

    @Override
    public List<String> names() {
        return List.copyOf(definitions.keySet());
    }

    /** Creates functions in Java, macros of {@code sqlite.sql} and macros that those call, unless they exist. */
    public void createMacros(Collection<String> names) throws QueryException {
        for (String name : names) {
            if (GraphFunctions.inEngine(name) != null) {
                engine.register(name);
            } else if (!macros.contains(name)) {
                Map<String, String> statements = new LinkedHashMap<>();
                SqliteMacros.collect(name, statements);
                statements.keySet().removeAll(macros);
                engine.execute(String.join("\n", statements.values()));
                macros.addAll(statements.keySet());
            }
        }
    }

    /** Loads tables that are not loaded yet. Ignores unknown names. */
    public void load(Collection<String> names) throws QueryException {
        for (String name : names) {
            TableDefinition definition = definitions.get(name);
            if (definition != null && !loaded.contains(name)) {
                String view = definition.view();
                if (view != null) {
                    load(WORD.matcher(view).results().map(word -> word.group()).toList());
                }
                engine.create(definition, load);
                loaded.add(name);
            }
        }
    }
}
