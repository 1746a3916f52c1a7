package dev.unjank.query.tree;

import dev.unjank.query.source.Token;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A statement, as parsed. */
public sealed interface Statement {
    Token at();

    record RunQuery(Token at, Query query) implements Statement {}

    /** INCLUDE PERFETTO MODULE. */
    record Include(Token at, String module) implements Statement {}

    /** A name and its type; both are the same token if the type is missing. */
    record TypedName(Token name, Token type) {}

    /** The behaviour of CREATE if the name exists. */
    enum IfExists {
        FAIL,
        REPLACE,
        KEEP
    }

    record CreateTable(Token at, Token name, IfExists ifExists, List<TypedName> schema, Query query)
            implements Statement {}

    record CreateView(Token at, Token name, IfExists ifExists, List<TypedName> schema, Query query)
            implements Statement {}

    /** CREATE TABLE with a list of columns; {@code key} is its INTEGER PRIMARY KEY, which numbers its rows. */
    record CreateEmptyTable(
            Token at,
            Token name,
            IfExists ifExists,
            List<TypedName> schema,
            @Nullable Token key) implements Statement {}

    record Insert(Token at, Token table, List<Token> columns, Query query) implements Statement {}

    /** A function with one result, or a table function if {@code columns} is not null. */
    record CreateFunction(
            Token at,
            Token name,
            boolean replace,
            List<TypedName> parameters,
            @Nullable Token type,
            @Nullable List<TypedName> columns,
            Query body)
            implements Statement {}

    /** CREATE PERFETTO FUNCTION … DELEGATES TO: another name of a function. */
    record CreateDelegate(Token at, Token name, boolean replace, Token target) implements Statement {}

    /** A macro; its body is a list of tokens. */
    record CreateMacro(Token at, Token name, boolean replace, List<TypedName> parameters, List<Token> body)
            implements Statement {}

    record CreateIndex(Token at, Token name, IfExists ifExists, Token table, List<Token> columns)
            implements Statement {}

    /** {@code kind} is "TABLE", "VIEW", "FUNCTION", "MACRO" or "INDEX". */
    record Drop(
            Token at,
            String kind,
            boolean ifExists,
            Token name,
            @Nullable Token table) implements Statement {}

    /** CREATE VIRTUAL TABLE … USING SPAN_JOIN, SPAN_LEFT_JOIN or SPAN_OUTER_JOIN; {@code kind} is that word. */
    record CreateSpanJoin(Token at, Token name, boolean ifNotExists, String kind, SpanInput left, SpanInput right)
            implements Statement {}

    /** COPY (query) TO file. */
    record Copy(Token at, Query query, Token file) implements Statement {}

    record SpanInput(Token table, @Nullable Token partition) {}
}
