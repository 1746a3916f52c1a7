package dev.unjank.query.parse;

import dev.unjank.query.source.PerfettoSqlException;
import dev.unjank.query.source.Token;
import dev.unjank.query.tree.Expr;
import dev.unjank.query.tree.Query;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Precedence-climbing parser for expressions, with SQLite's precedence levels. Trees are at most {@link #MAX_HEIGHT}
 * high, so that later passes may recurse.
 */
public abstract class ExpressionParser extends PrimaryParser {
    /** SQLite's and DuckDB's limits are 1,000; DuckDB's tree is slightly higher than this one. */
    static final int MAX_HEIGHT = 300;

    private static final int OR = 1;
    private static final int AND = 2;
    private static final int NOT = 3;
    private static final int EQUALITY = 4;
    private static final int COMPARISON = 5;
    private static final int COLLATE = 10;
    private static final int UNARY = 11;

    private static final Map<String, Integer> SYMBOL_LEVELS = Map.ofEntries(
            Map.entry("=", EQUALITY),
            Map.entry("==", EQUALITY),
            Map.entry("<>", EQUALITY),
            Map.entry("!=", EQUALITY),
            Map.entry("<", COMPARISON),
            Map.entry("<=", COMPARISON),
            Map.entry(">", COMPARISON),
            Map.entry(">=", COMPARISON),
            Map.entry("&", 6),
            Map.entry("|", 6),
            Map.entry("<<", 6),
            Map.entry(">>", 6),
            Map.entry("+", 7),
            Map.entry("-", 7),
            Map.entry("*", 8),
            Map.entry("/", 8),
            Map.entry("%", 8),
            Map.entry("||", 9),
            Map.entry("->", 9),
            Map.entry("->>", 9));

    private static final Set<String> MATCHES = Set.of("LIKE", "GLOB", "REGEXP", "MATCH");

    /** Maximum height of the expressions parsed since the last reset. */
    private int height;

    /** Nesting depth of the expressions and queries being parsed. */
    private int nesting;

    ExpressionParser(TokenStream tokens) {
        super(tokens);
    }

    @Override
    Expr expression() {
        return expression(OR);
    }

    private Expr expression(int level) {
        enter(tokens.peek());
        int before = height;
        height = 0;
        Expr left = prefix();
        height++;
        while (true) {
            Expr longer = infix(left, level);
            if (longer == null) {
                break;
            }
            left = longer;
        }
        height = Math.max(before, height);
        nesting--;
        return left;
    }

    protected final void enter(Token at) {
        if (++nesting > MAX_HEIGHT) {
            throw PerfettoSqlException.at(at, "nested too deeply: more than " + MAX_HEIGHT + " levels");
        }
    }

    protected final void leave() {
        nesting--;
    }

    private void grow(Token at) {
        if (++height > MAX_HEIGHT) {
            throw PerfettoSqlException.at(
                    at, "this expression is too long: more than " + MAX_HEIGHT + " operators in a chain");
        }
    }

    private Expr prefix() {
        Token token = tokens.peek();
        if (token.isWord("NOT")) {
            tokens.take();
            return new Expr.Unary(token, "NOT", expression(NOT));
        }
        if (token.isSymbol("-") || token.isSymbol("+") || token.isSymbol("~")) {
            tokens.take();
            return new Expr.Unary(token, token.text(), expression(UNARY));
        }
        return primary();
    }

    /** Parses one operator after {@code left}; null if none of at least this level follows. */
    private @Nullable Expr infix(Expr left, int level) {
        Token token = tokens.peek();
        if (token.kind() == Token.Kind.SYMBOL) {
            Integer own = SYMBOL_LEVELS.get(token.text());
            if (own == null || own < level) {
                return null;
            }
            tokens.take();
            grow(token);
            String operator = token.text().equals("==") ? "=" : token.text().equals("!=") ? "<>" : token.text();
            return new Expr.Binary(token, operator, left, expression(own + 1));
        }
        return switch (token.keyword()) {
            case "OR" -> level <= OR ? chain(left, "OR", AND) : null;
            case "AND" -> level <= AND ? chain(left, "AND", NOT) : null;
            case "COLLATE" -> level <= COLLATE ? collate(left) : null;
            default -> level <= EQUALITY ? test(left) : null;
        };
    }

    /** Parses a chain of AND or OR into a balanced tree, so that its height stays small. */
    private Expr chain(Expr first, String operator, int level) {
        List<Expr> operands = new ArrayList<>(List.of(first));
        Token at = tokens.peek();
        while (tokens.accept(operator)) {
            operands.add(expression(level));
        }
        height += Integer.SIZE - Integer.numberOfLeadingZeros(operands.size());
        grow(at);
        return balanced(at, operator, operands);
    }

    private static Expr balanced(Token at, String operator, List<Expr> operands) {
        int size = operands.size();
        return size == 1
                ? operands.getFirst()
                : new Expr.Binary(
                        at,
                        operator,
                        balanced(at, operator, operands.subList(0, (size + 1) / 2)),
                        balanced(at, operator, operands.subList((size + 1) / 2, size)));
    }

    private Expr collate(Expr left) {
        Token at = tokens.take();
        grow(at);
        return new Expr.Collate(
                at, left, tokens.expectName("a collation").text().toUpperCase(Locale.ROOT));
    }

    private @Nullable Expr test(Expr left) {
        Token at = tokens.peek();
        boolean not = at.isWord("NOT");
        String word = tokens.peek(not ? 1 : 0).keyword();
        if (MATCHES.contains(word) || word.equals("BETWEEN") || word.equals("IN")) {
            if (not) {
                tokens.take();
            }
            Token operator = tokens.take();
            grow(at);
            return switch (word) {
                case "BETWEEN" -> between(operator, not, left);
                case "IN" -> in(operator, not, left);
                default -> match(operator, not, left);
            };
        }
        if (not && word.equals("NULL")) {
            tokens.take();
            tokens.take();
            grow(at);
            return new Expr.Unary(at, "NOT NULL", left);
        }
        return switch (at.keyword()) {
            case "ISNULL", "NOTNULL" -> {
                tokens.take();
                grow(at);
                yield new Expr.Unary(at, at.isWord("ISNULL") ? "IS NULL" : "NOT NULL", left);
            }
            case "IS" -> is(left);
            default -> null;
        };
    }

    private Expr is(Expr left) {
        Token at = tokens.take();
        grow(at);
        boolean not = tokens.accept("NOT");
        if (tokens.accept("DISTINCT", "FROM")) {
            not = !not;
        }
        return new Expr.Binary(at, not ? "IS NOT" : "IS", left, expression(EQUALITY + 1));
    }

    private Expr match(Token at, boolean not, Expr left) {
        if (at.isWord("MATCH")) {
            throw PerfettoSqlException.at(at, "MATCH is not supported: expected LIKE, GLOB or REGEXP");
        }
        Expr pattern = expression(EQUALITY + 1);
        Expr escape = tokens.accept("ESCAPE") ? expression(EQUALITY + 1) : null;
        return new Expr.Match(at, at.keyword(), not, left, pattern, escape);
    }

    private Expr between(Token at, boolean not, Expr left) {
        Expr low = expression(EQUALITY + 1);
        tokens.expect("AND");
        return new Expr.Between(at, not, left, low, expression(EQUALITY + 1));
    }

    private Expr in(Token at, boolean not, Expr left) {
        if (Keywords.isName(tokens.peek())) {
            Token table = tokens.take();
            Query.Select all = new Query.Select(
                    table,
                    false,
                    List.of(new Query.Star(table, null)),
                    new Query.Table(table, null),
                    null,
                    List.of(),
                    null,
                    Map.of());
            return new Expr.InQuery(
                    at, not, left, new Query(table, false, List.of(), all, List.of(), List.of(), null, null));
        }
        if (!tokens.peek().isSymbol("(")) {
            throw tokens.expected("( or a table after IN");
        }
        Token open = tokens.take();
        if (startsQuery()) {
            Query query = query();
            tokens.expectSymbol(")");
            return new Expr.InQuery(at, not, left, query);
        }
        List<Expr> items = tokens.peek().isSymbol(")") ? List.of() : expressions();
        tokens.expectSymbol(")");
        return new Expr.InList(open, not, left, items);
    }
}
