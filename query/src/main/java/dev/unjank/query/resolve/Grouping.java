package dev.unjank.query.resolve;

import dev.unjank.query.tree.Sql;
import dev.unjank.query.tree.TypedExpr;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a grouped query. Other expressions outside of aggregates are taken from one row of the group, as in
 * SQLite: from the row with the minimum or maximum if the query has exactly one min or max, otherwise from the first
 * row.
 */
final class Grouping {
    private final Set<Sql> keys = new HashSet<>();

    /** Argument of the query's only min or max; null if there is none. */
    private final @Nullable Sql minMaxArgument;

    private final boolean isMax;

    /** Set while arguments of aggregates, or keys, are translated. */
    boolean suspended;

    Grouping(@Nullable Sql minMaxArgument, boolean isMax) {
        this.minMaxArgument = minMaxArgument;
        this.isMax = isMax;
    }

    void addKey(TypedExpr key) {
        keys.add(key.sql());
    }

    boolean isKey(TypedExpr code) {
        return keys.contains(code.sql());
    }

    TypedExpr fromOneRow(TypedExpr code) {
        Sql first = Sql.aggregate("first", code.sql());
        if (minMaxArgument == null) {
            return new TypedExpr(first, code.type(), code.affinity());
        }
        // a group with only NULLs has no such row
        Sql noRow = Sql.infix(Sql.aggregate("count", minMaxArgument), "=", Sql.bare(0));
        Sql least = Sql.aggregate(isMax ? "arg_max_null" : "arg_min_null", code.sql(), minMaxArgument);
        return new TypedExpr(Sql.choice(noRow, first, least), code.type(), code.affinity());
    }
}
