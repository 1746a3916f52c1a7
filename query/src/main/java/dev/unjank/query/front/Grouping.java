package dev.unjank.query.front;

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

    void addKey(Code key) {
        keys.add(Marks.strip(key.sql()));
    }

    boolean isKey(Code code) {
        return keys.contains(Marks.strip(code.sql()));
    }

    Code ofOneRow(Code code) {
        String first = "first(" + code.sql() + ")";
        if (extreme == null) {
            return new Code(first, code.type(), code.affinity());
        }
        // without a value to be the least there is no such row
        String least = (greatest ? "arg_max_null(" : "arg_min_null(") + code.sql() + ", " + extreme + ")";
        return new Code(
                "(CASE WHEN count(" + extreme + ") = 0 THEN " + first + " ELSE " + least + " END)",
                code.type(),
                code.affinity());
    }
}
