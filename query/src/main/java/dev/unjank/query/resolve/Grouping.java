package dev.unjank.query.resolve;

import dev.unjank.query.print.PrintedSql;
import dev.unjank.query.tree.TypedExpr;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a grouped query may use as it is: what it groups by. Anything else outside an aggregate is taken from one row of the
 * group, as SQLite does: from the row with the least or greatest value if the query has exactly one min or max, else from
 * the first.
 */
final class Grouping {
    private final Set<String> keys = new HashSet<>();

    /** What the query's only min or max looks at; null without one. */
    private final @Nullable String extreme;

    private final boolean greatest;

    /** Set while arguments of an aggregate, or keys, are translated. */
    boolean suspended;

    Grouping(@Nullable String extreme, boolean greatest) {
        this.extreme = extreme;
        this.greatest = greatest;
    }

    void addKey(TypedExpr key) {
        keys.add(PrintedSql.strip(key.sql()));
    }

    boolean isKey(TypedExpr code) {
        return keys.contains(PrintedSql.strip(code.sql()));
    }

    TypedExpr ofOneRow(TypedExpr code) {
        String first = "first(" + code.sql() + ")";
        if (extreme == null) {
            return new TypedExpr(first, code.type(), code.affinity());
        }
        // without a value to be the least there is no such row
        String least = (greatest ? "arg_max_null(" : "arg_min_null(") + code.sql() + ", " + extreme + ")";
        return new TypedExpr(
                "(CASE WHEN count(" + extreme + ") = 0 THEN " + first + " ELSE " + least + " END)",
                code.type(),
                code.affinity());
    }
}
