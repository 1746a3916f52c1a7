package dev.unjank.query.resolve;

import dev.unjank.query.print.PrintedSql;
import dev.unjank.query.source.Token;
import dev.unjank.query.tree.SpanJoinPlan;
import dev.unjank.query.tree.TypedColumn;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One thing for the engine to do. Steps are done in order; if one fails, {@link PerfettoSqlTranslator#failed} says what is wrong. */
public final class EngineStep {
    /** What a step is. */
    public enum Kind {
        /** SQL that gives no rows. */
        COMMAND,
        /** SQL whose rows the user asked for. */
        QUERY,
        /** A join of spans, which SQL alone cannot do: see {@link #spanJoin}. */
        SPAN_JOIN
    }

    private final Kind kind;
    private final PrintedSql.Marked sql;
    private final List<TypedColumn> columns;
    private final Set<String> tables;
    private final @Nullable SpanJoinPlan spanJoin;
    private final Token at;
    private final Catalog before;

    private EngineStep(
            Kind kind,
            PrintedSql.Marked sql,
            List<TypedColumn> columns,
            Set<String> tables,
            @Nullable SpanJoinPlan spanJoin,
            Token at,
            Catalog before) {
        this.kind = kind;
        this.sql = sql;
        this.columns = List.copyOf(columns);
        this.tables = Set.copyOf(tables);
        this.spanJoin = spanJoin;
        this.at = at;
        this.before = before;
    }

    static EngineStep command(PrintedSql.Marked sql, Set<String> tables, Token at, Catalog before) {
        return new EngineStep(Kind.COMMAND, sql, List.of(), tables, null, at, before);
    }

    static EngineStep query(
            PrintedSql.Marked sql, List<TypedColumn> columns, Set<String> tables, Token at, Catalog before) {
        return new EngineStep(Kind.QUERY, sql, columns, tables, null, at, before);
    }

    static EngineStep spanJoin(SpanJoinPlan plan, Set<String> tables, Token at, Catalog before) {
        return new EngineStep(
                Kind.SPAN_JOIN, new PrintedSql.Marked("", List.of(), List.of()), List.of(), tables, plan, at, before);
    }

    /**
     * What this step is.
     *
     * @return its kind
     */
    public Kind kind() {
        return kind;
    }

    /**
     * What to execute.
     *
     * @return the engine's SQL; empty for a join of spans
     */
    public String sql() {
        return sql.sql();
    }

    /**
     * What a query gives.
     *
     * @return its columns in order; empty for what is no query
     */
    public List<TypedColumn> columns() {
        return columns;
    }

    /**
     * The engine's own tables that have to be there before the step is done.
     *
     * @return their names in lower case
     */
    public Set<String> tables() {
        return tables;
    }

    /**
     * The join of spans to do.
     *
     * @return the plan
     * @throws IllegalStateException if this is something else
     */
    public SpanJoinPlan spanJoin() {
        if (spanJoin == null) {
            throw new IllegalStateException("not a join of spans but " + kind);
        }
        return spanJoin;
    }

    PrintedSql.Marked marked() {
        return sql;
    }

    Token at() {
        return at;
    }

    Catalog before() {
        return before;
    }

    @Override
    public String toString() {
        return spanJoin == null ? sql.sql() : spanJoin.toString();
    }
}
