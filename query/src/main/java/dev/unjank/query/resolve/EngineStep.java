package dev.unjank.query.resolve;

import dev.unjank.query.print.PrintedSql;
import dev.unjank.query.source.Token;
import dev.unjank.query.tree.SpanJoinPlan;
import dev.unjank.query.tree.SqlQuery;
import dev.unjank.query.tree.TypedColumn;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One step for the engine. Steps run in order; {@link PerfettoSqlTranslator#explainFailure} explains the failure of
 * one.
 */
public final class EngineStep {
    /** The kind of a step. */
    public enum Kind {
        /** SQL without a result. */
        COMMAND,
        /** SQL of a query. */
        QUERY,
        /** A span join, which SQL cannot express: see {@link #spanJoin}. */
        SPAN_JOIN
    }

    private final Kind kind;
    private final PrintedSql sql;
    private final @Nullable SqlQuery query;
    private final List<TypedColumn> columns;
    private final Set<String> tables;
    private final @Nullable SpanJoinPlan spanJoin;
    private final Token at;
    private final Catalog catalogBefore;

    private EngineStep(
            Kind kind,
            PrintedSql sql,
            @Nullable SqlQuery query,
            List<TypedColumn> columns,
            Set<String> tables,
            @Nullable SpanJoinPlan spanJoin,
            Token at,
            Catalog before) {
        this.kind = kind;
        this.sql = sql;
        this.query = query;
        this.columns = List.copyOf(columns);
        this.tables = Set.copyOf(tables);
        this.spanJoin = spanJoin;
        this.at = at;
        this.catalogBefore = before;
    }

    static EngineStep command(PrintedSql sql, Set<String> tables, Token at, Catalog before) {
        return new EngineStep(Kind.COMMAND, sql, null, List.of(), tables, null, at, before);
    }

    static EngineStep query(
            PrintedSql sql, SqlQuery query, List<TypedColumn> columns, Set<String> tables, Token at, Catalog before) {
        return new EngineStep(Kind.QUERY, sql, query, columns, tables, null, at, before);
    }

    static EngineStep spanJoin(SpanJoinPlan plan, Set<String> tables, Token at, Catalog before) {
        return new EngineStep(
                Kind.SPAN_JOIN,
                new PrintedSql("", List.of(), List.of(), Set.of()),
                null,
                List.of(),
                tables,
                plan,
                at,
                before);
    }

    /** The kind of this step. */
    public Kind kind() {
        return kind;
    }

    /**
     * The SQL to execute.
     *
     * @return SQL in DuckDB's dialect; empty for a span join
     */
    public String sql() {
        return sql.sql();
    }

    /** The tree of a query, to be printed as a part of another statement. */
    public SqlQuery query() {
        if (query == null) {
            throw new IllegalStateException("not a query but " + kind);
        }
        return query;
    }

    /** The macros of {@code sqlite.sql} that must exist before this step. */
    public Set<String> macros() {
        return sql.macros();
    }

    /**
     * The columns of a query.
     *
     * @return columns in order; empty for other steps
     */
    public List<TypedColumn> columns() {
        return columns;
    }

    /** The engine's tables that must be loaded before this step. */
    public Set<String> tables() {
        return tables;
    }

    /**
     * The span join to execute.
     *
     * @throws IllegalStateException if this is another kind of step
     */
    public SpanJoinPlan spanJoin() {
        if (spanJoin == null) {
            throw new IllegalStateException("not a span join but " + kind);
        }
        return spanJoin;
    }

    PrintedSql printed() {
        return sql;
    }

    Token at() {
        return at;
    }

    Catalog catalogBefore() {
        return catalogBefore;
    }

    @Override
    public String toString() {
        return spanJoin == null ? sql.sql() : spanJoin.toString();
    }
}
