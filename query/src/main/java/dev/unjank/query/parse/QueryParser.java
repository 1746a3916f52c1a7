package dev.unjank.query.parse;

import dev.unjank.query.source.PerfettoSqlException;
import dev.unjank.query.source.Token;
import dev.unjank.query.tree.Expr;
import dev.unjank.query.tree.Query;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Parser for queries. */
class QueryParser extends ExpressionParser {
    private static final Set<String> AFTER_COLUMNS =
            Set.of("FROM", "WHERE", "GROUP", "HAVING", "WINDOW", "ORDER", "LIMIT", "UNION", "INTERSECT", "EXCEPT");

    QueryParser(TokenStream tokens) {
        super(tokens);
    }

    @Override
    protected final Query query() {
        Token at = tokens.peek();
        enter(at);
        boolean recursive = false;
        List<Query.With> with = new ArrayList<>();
        if (tokens.accept("WITH")) {
            recursive = tokens.accept("RECURSIVE");
            do {
                with.add(with());
            } while (tokens.acceptSymbol(","));
        }
        Query.Core first = core();
        List<Query.Combined> rest = new ArrayList<>();
        for (String operator = operator(); operator != null; operator = operator()) {
            rest.add(new Query.Combined(operator, core()));
            if (rest.size() > MAX_HEIGHT) {
                throw PerfettoSqlException.at(at, "more than " + MAX_HEIGHT + " queries combined into one");
            }
        }
        List<Query.Order> order = tokens.acceptBy("ORDER") ? orders() : List.of();
        Expr limit = null;
        Expr offset = null;
        if (tokens.accept("LIMIT")) {
            limit = expression();
            if (tokens.accept("OFFSET")) {
                offset = expression();
            } else if (tokens.acceptSymbol(",")) {
                offset = limit;
                limit = expression();
            }
        }
        leave();
        return new Query(at, recursive, with, first, rest, order, limit, offset);
    }

    private Query.With with() {
        Token name = tokens.expectName("a name for the common table expression");
        List<Token> columns = tokens.acceptSymbol("(") ? namesToClose("a column") : List.of();
        tokens.expect("AS");
        String hint = "";
        if (tokens.accept("MATERIALIZED")) {
            hint = "MATERIALIZED";
        } else if (tokens.accept("NOT", "MATERIALIZED")) {
            hint = "NOT MATERIALIZED";
        }
        tokens.expectSymbol("(");
        int start = tokens.position();
        Query query = query();
        boolean namesItself = tokens.containsName(start, name.text());
        tokens.expectSymbol(")");
        return new Query.With(name, columns, hint, query, namesItself);
    }

    protected final List<Token> namesToClose(String what) {
        List<Token> names = new ArrayList<>();
        do {
            names.add(tokens.expectName(what));
        } while (tokens.acceptSymbol(","));
        tokens.expectSymbol(")");
        return names;
    }

    private @Nullable String operator() {
        if (tokens.accept("UNION")) {
            return tokens.accept("ALL") ? "UNION ALL" : "UNION";
        }
        if (tokens.peek().isWord("INTERSECT") || tokens.peek().isWord("EXCEPT")) {
            return tokens.take().keyword();
        }
        return null;
    }

    private Query.Core core() {
        Token at = tokens.peek();
        if (tokens.accept("VALUES")) {
            List<List<Expr>> rows = new ArrayList<>();
            do {
                tokens.expectSymbol("(");
                rows.add(expressions());
                tokens.expectSymbol(")");
            } while (tokens.acceptSymbol(","));
            return new Query.Values(at, rows);
        }
        if (!at.isWord("SELECT")) {
            throw tokens.expected("SELECT or VALUES");
        }
        tokens.take();
        boolean distinct = tokens.accept("DISTINCT");
        if (!distinct) {
            tokens.accept("ALL");
        }
        List<Query.Item> items = new ArrayList<>();
        do {
            items.add(item());
        } while (tokens.acceptSymbol(","));
        if (!tokens.atEnd()
                && !tokens.peek().isSymbol(")")
                && !AFTER_COLUMNS.contains(tokens.peek().keyword())) {
            throw tokens.expected("a comma or FROM");
        }
        Query.From from = tokens.accept("FROM") ? from() : null;
        Expr where = tokens.accept("WHERE") ? expression() : null;
        List<Expr> group = tokens.acceptBy("GROUP") ? expressions() : List.of();
        Expr having = tokens.accept("HAVING") ? expression() : null;
        Map<String, Expr.Window> windows = new LinkedHashMap<>();
        if (tokens.accept("WINDOW")) {
            do {
                String name = tokens.expectName("a window").text().toLowerCase(Locale.ROOT);
                tokens.expect("AS");
                windows.put(name, window());
            } while (tokens.acceptSymbol(","));
        }
        return new Query.Select(at, distinct, items, from, where, group, having, windows);
    }

    private Query.Item item() {
        Token first = tokens.peek();
        if (first.isSymbol("*")) {
            tokens.take();
            return new Query.Star(first, null);
        }
        if (Keywords.isName(first)
                && tokens.peek(1).isSymbol(".")
                && tokens.peek(2).isSymbol("*")) {
            tokens.take();
            tokens.take();
            return new Query.Star(tokens.take(), first);
        }
        int position = tokens.position();
        Expr value = expression();
        String written = tokens.sourceTextFrom(position);
        return new Query.Column(value, alias(false), written);
    }

    private @Nullable Token alias(boolean ofTable) {
        if (tokens.accept("AS")) {
            Token token = tokens.peek();
            if (token.kind() == Token.Kind.STRING) {
                return tokens.take();
            }
            return tokens.expectName("an alias");
        }
        if (tokens.peek().kind() == Token.Kind.STRING) {
            return tokens.take();
        }
        return Keywords.isBareAlias(tokens.peek(), ofTable) ? tokens.take() : null;
    }

    private Query.From from() {
        Query.From left = table();
        int joins = 0;
        while (true) {
            Token at = tokens.peek();
            Query.From joined = join(left);
            if (joined == null) {
                return left;
            }
            if (++joins > MAX_HEIGHT) {
                throw PerfettoSqlException.at(at, "more than " + MAX_HEIGHT + " tables joined");
            }
            left = joined;
        }
    }

    private Query.@Nullable From join(Query.From left) {
        Token at = tokens.peek();
        if (tokens.acceptSymbol(",")) {
            return new Query.Join(at, "CROSS", false, left, table(), null, List.of());
        }
        boolean natural = tokens.accept("NATURAL");
        String kind = "INNER";
        switch (tokens.peek().keyword()) {
            case "LEFT", "RIGHT", "FULL" -> {
                kind = tokens.take().keyword();
                tokens.accept("OUTER");
                tokens.expect("JOIN");
            }
            case "CROSS", "INNER" -> {
                kind = tokens.take().keyword();
                tokens.expect("JOIN");
            }
            case "JOIN" -> tokens.take();
            default -> {
                if (natural) {
                    throw tokens.expected("JOIN");
                }
                return null;
            }
        }
        Query.From right = table();
        Expr on = null;
        List<Token> using = List.of();
        if (tokens.accept("ON")) {
            on = expression();
        } else if (tokens.peek().isWord("USING") && tokens.peek(1).isSymbol("(")) {
            tokens.take();
            tokens.take();
            using = namesToClose("a column");
        }
        return new Query.Join(at, kind, natural, left, right, on, using);
    }

    private Query.From table() {
        Token at = tokens.peek();
        if (tokens.acceptSymbol("(")) {
            if (startsQuery()) {
                Query query = query();
                tokens.expectSymbol(")");
                return new Query.Nested(at, query, alias(true));
            }
            enter(at);
            Query.From inner = from();
            tokens.expectSymbol(")");
            leave();
            return named(at, inner);
        }
        if (!Keywords.isName(at)) {
            throw tokens.expected("a table");
        }
        tokens.take();
        if (tokens.peek().isSymbol("(")) {
            tokens.take();
            List<Expr> arguments = tokens.peek().isSymbol(")") ? List.of() : expressions();
            tokens.expectSymbol(")");
            return new Query.TableCall(at, arguments, alias(true));
        }
        return new Query.Table(at, alias(true));
    }

    /** Handles {@code (table) alias}, which macros produce, and {@code (a JOIN b) alias}. */
    private Query.From named(Token open, Query.From inner) {
        Token alias = alias(true);
        if (alias == null) {
            return inner;
        }
        return switch (inner) {
            case Query.Table table -> new Query.Table(table.at(), alias);
            case Query.TableCall call -> new Query.TableCall(call.at(), call.arguments(), alias);
            case Query.Nested nested -> new Query.Nested(nested.at(), nested.query(), alias);
            case Query.Join join -> {
                Query.Select all = new Query.Select(
                        open, false, List.of(new Query.Star(open, null)), join, null, List.of(), null, Map.of());
                yield new Query.Nested(
                        open, new Query(open, false, List.of(), all, List.of(), List.of(), null, null), alias);
            }
        };
    }
}
