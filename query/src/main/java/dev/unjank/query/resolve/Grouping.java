package dev.unjank.query.resolve;

import dev.unjank.query.print.PrintedSql;
import dev.unjank.query.tree.TypedExpr;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a grouped query. Other expressions outside of aggregates are taken from one row of the group, as in SQLite:
 * from the row with the minimum or maximum if the query has exactly one min or max, otherwise from the first row.
 */
final class Grouping {
    private final Set<String> keys = new HashSet<>();

    /** Argument of the query's only min or max; null if there is none. */
    private final @Nullable String minMaxArgument;

    private final boolean isMax;

    /** Set while arguments of aggregates, or keys, are translated. */
    boolean suspended;

    Grouping(@Nullable String extreme, boolean greatest) {
        this.minMaxArgument = extreme;
        this.isMax = greatest;
    }

    void addKey(TypedExpr key) {
        keys.add(PrintedSql.strip(key.sql()));
    }

    boolean isKey(TypedExpr code) {
        return keys.contains(PrintedSql.strip(code.sql()));
    }

    TypedExpr fromOneRow(TypedExpr code) {
        String first = "first(" + code.sql() + ")";
        if (minMaxArgument == null) {
            return new TypedExpr(first, code.type(), code.affinity());
        }
        // a group with only NULLs has no such row
        String least = (isMax ? "arg_max_null(" : "arg_min_null(") + code.sql() + ", " + minMaxArgument + ")";
        return new TypedExpr(
                "(CASE WHEN count(" + minMaxArgument + ") = 0 THEN " + first + " ELSE " + least + " END)",
                code.type(),
                code.affinity());
    }
}
