package dev.unjank.query.resolve;

import dev.unjank.query.source.PerfettoSqlException;
import dev.unjank.query.source.Token;
import dev.unjank.query.tree.Expr;
import dev.unjank.query.tree.TypedColumn;
import dev.unjank.query.tree.TypedExpr;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Scope of names in a query: tables of its FROM clause, aliases of its columns, and the enclosing scope. */
final class Scope {
    /** A table of a FROM clause, by its alias. */
    record Source(String name, List<Field> fields) {
        @Nullable
        Field field(String column) {
            for (Field field : fields) {
                if (field.name.equalsIgnoreCase(column)) {
                    return field;
                }
            }
            return null;
        }
    }

    /** A column of a source; {@code merged} if USING or NATURAL merged it with a column further left. */
    record Field(String name, TypedExpr expr, boolean merged) {}

    /** A common table expression: its name in DuckDB's SQL, and its columns. */
    static final class CommonTable {
        final String alias;
        final List<TypedColumn> columns;
        boolean used;

        CommonTable(String alias, List<TypedColumn> columns) {
            this.alias = alias;
            this.columns = columns;
        }
    }

    final @Nullable Scope outer;
    final List<Source> sources = new ArrayList<>();
    final Map<String, Expr> aliases = new HashMap<>();
    final Map<String, CommonTable> commonTables = new HashMap<>();
    final Map<String, TypedExpr> parameters = new HashMap<>();
    final Map<String, Expr.Window> windows = new HashMap<>();

    /** Merged columns of outer joins with USING. */
    final Map<String, TypedExpr> mergedColumns = new HashMap<>();

    /** Aliases being resolved, to detect cycles. */
    final Set<String> aliasesInProgress = new HashSet<>();

    @Nullable
    Grouping grouping;

    Scope(@Nullable Scope outer) {
        this.outer = outer;
    }

    /** A column by its unqualified name; null if this scope has none. */
    @Nullable
    TypedExpr unqualified(Token name) {
        TypedExpr merged = mergedColumns.get(lower(name.text()));
        if (merged != null) {
            return merged;
        }
        TypedExpr found = null;
        Source where = null;
        for (Source source : sources) {
            Field field = source.field(name.text());
            if (field == null || field.merged) {
                continue;
            }
            if (found != null && where != null) {
                throw PerfettoSqlException.at(
                        name, "ambiguous column: " + name.text() + " is in " + where.name + " and in " + source.name);
            }
            found = field.expr;
            where = source;
        }
        return found;
    }

    @Nullable
    Source source(String name) {
        for (Source source : sources) {
            if (source.name.equalsIgnoreCase(name)) {
                return source;
            }
        }
        return null;
    }

    @Nullable
    CommonTable commonTable(String name) {
        for (Scope scope = this; scope != null; scope = scope.outer) {
            CommonTable common = scope.commonTables.get(lower(name));
            if (common != null) {
                return common;
            }
        }
        return null;
    }

    @Nullable
    TypedExpr parameter(String name) {
        for (Scope scope = this; scope != null; scope = scope.outer) {
            TypedExpr code = scope.parameters.get(lower(name));
            if (code != null) {
                return code;
            }
        }
        return null;
    }

    /** Names of all visible columns, for suggestions. */
    List<String> columnNames() {
        List<String> names = new ArrayList<>();
        for (Scope scope = this; scope != null; scope = scope.outer) {
            for (Source source : scope.sources) {
                source.fields.forEach(field -> names.add(field.name));
            }
            names.addAll(scope.aliases.keySet());
        }
        return names;
    }

    static String lower(String name) {
        return name.toLowerCase(Locale.ROOT);
    }
}
