package dev.unjank.query.tree;

import dev.unjank.query.source.Token;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One statement as it was parsed. */
public sealed interface Statement {
    Token at();

    record Ask(Token at, Query query) implements Statement {}

    /** INCLUDE PERFETTO MODULE. */
    record Include(Token at, String module) implements Statement {}

    /** A name and the type that was written behind it. */
    record Typed(Token name, Token type) {}

    /** What to do if the name is taken. */
    enum IfTaken {
        FAIL,
        REPLACE,
        KEEP
    }

    record CreateTable(Token at, Token name, IfTaken ifTaken, List<Typed> schema, Query query) implements Statement {}

    record CreateView(Token at, Token name, IfTaken ifTaken, List<Typed> schema, Query query) implements Statement {}

    /** CREATE TABLE with columns instead of a query. */
    record CreateEmptyTable(Token at, Token name, IfTaken ifTaken, List<Typed> schema) implements Statement {}

    record Insert(Token at, Token table, List<Token> columns, Query query) implements Statement {}

    /** A function; of a table if {@code columns} is not null, else of one value. */
    record CreateFunction(
            Token at,
            Token name,
            boolean replace,
            List<Typed> parameters,
            @Nullable Token type,
            @Nullable List<Typed> columns,
            Query body)
            implements Statement {}

    /** A macro; its body is tokens, and its parameters' kinds say what an argument must be. */
    record CreateMacro(Token at, Token name, boolean replace, List<Typed> parameters, List<Token> body)
            implements Statement {}

    record CreateIndex(Token at, Token name, IfTaken ifTaken, Token table, List<Token> columns) implements Statement {}

    /** {@code kind} is "TABLE", "VIEW", "FUNCTION", "MACRO" or "INDEX". */
    record Drop(
            Token at,
            String kind,
            boolean ifExists,
            Token name,
            @Nullable Token table) implements Statement {}

    /** CREATE VIRTUAL TABLE … USING SPAN_JOIN and its kin; {@code kind} is the function's name in upper case. */
    record CreateSpanJoin(Token at, Token name, boolean ifNotExists, String kind, SpanInput left, SpanInput right)
            implements Statement {}

    /** COPY (query) TO a file. */
    record Copy(Token at, Query query, Token file) implements Statement {}

    record SpanInput(Token table, @Nullable Token partition) {}
}
