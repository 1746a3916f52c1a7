package dev.unjank.query.tree;

import dev.unjank.query.source.Token;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** An expression, as parsed. {@link #at} is the token that error messages point to. */
public sealed interface Expr {
    Token at();

    /** A literal; {@code at} holds its value. NULL, TRUE and FALSE are words. */
    record Literal(Token at) implements Expr {}

    /** {@code $name}, a parameter of a function. */
    record Parameter(Token at) implements Expr {}

    /** {@code column} or {@code table.column}. In double quotes, it is a string if no such column exists. */
    record Name(Token at, @Nullable Token table) implements Expr {}

    record Unary(Token at, String operator, Expr operand) implements Expr {}

    /** Binary operators, also IS and IS NOT; "==" is "=", and "!=" is "&lt;&gt;". */
    record Binary(Token at, String operator, Expr left, Expr right) implements Expr {}

    /** LIKE, GLOB, REGEXP. */
    record Match(
            Token at,
            String operator,
            boolean not,
            Expr left,
            Expr pattern,
            @Nullable Expr escape) implements Expr {}

    record Between(Token at, boolean not, Expr operand, Expr low, Expr high) implements Expr {}

    record InList(Token at, boolean not, Expr operand, List<Expr> items) implements Expr {}

    record InQuery(Token at, boolean not, Expr operand, Query query) implements Expr {}

    record Case(
            Token at,
            @Nullable Expr operand,
            List<When> whens,
            @Nullable Expr otherwise) implements Expr {}

    record When(Expr condition, Expr result) {}

    record Cast(Token at, Expr operand, String type) implements Expr {}

    record Collate(Token at, Expr operand, String collation) implements Expr {}

    record Call(
            Token at,
            boolean star,
            boolean distinct,
            List<Expr> arguments,
            List<Query.Order> order,
            @Nullable Expr filter,
            @Nullable Window window)
            implements Expr {
        public String name() {
            return at.text().toLowerCase(Locale.ROOT);
        }

        /** The same call of another function, at the same place of the text. */
        public Call named(String function) {
            Token named = new Token(at.kind(), function, at.source(), at.start(), at.end(), at.callSite());
            return new Call(named, star, distinct, arguments, order, filter, window);
        }
    }

    /** A window: its name, or its definition. The frame is kept as text. */
    record Window(@Nullable Token base, List<Expr> partition, List<Query.Order> order, String frame) {}

    record Subquery(Token at, Query query) implements Expr {}

    record Exists(Token at, Query query) implements Expr {}

    /** {@code (a, b)}. */
    record Row(Token at, List<Expr> items) implements Expr {}
}
