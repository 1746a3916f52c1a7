package dev.unjank.query.parse;

import dev.unjank.query.source.Token;
import dev.unjank.query.tree.Expr;
import dev.unjank.query.tree.Query;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Parser for the operands of expressions: names, literals, calls, windows, CASE, CAST and parentheses. */
abstract class PrimaryParser {
    private static final Set<String> FRAMES = Set.of("ROWS", "RANGE", "GROUPS");

    protected final TokenStream tokens;

    PrimaryParser(TokenStream tokens) {
        this.tokens = tokens;
    }

    /** Parses an expression with operators. */
    abstract Expr expression();

    /** Parses a query. */
    protected abstract Query query();

    protected final List<Expr> expressions() {
        List<Expr> list = new ArrayList<>();
        do {
            list.add(expression());
        } while (tokens.acceptSymbol(","));
        return list;
    }

    protected final boolean startsQuery() {
        Token token = tokens.peek();
        return token.isWord("SELECT") || token.isWord("VALUES") || token.isWord("WITH");
    }

    /** Parses an operand. */
    protected final Expr primary() {
        Token token = tokens.peek();
        switch (token.kind()) {
            case STRING, INTEGER, REAL, BLOB -> {
                return new Expr.Literal(tokens.take());
            }
            case PARAMETER -> {
                return new Expr.Parameter(tokens.take());
            }
            case SYMBOL -> {
                if (token.isSymbol("(")) {
                    return parenthesis();
                }
                if (token.isSymbol("&")) {
                    throw tokens.expected("an expression, or AND instead of &&");
                }
            }
            default -> {
                switch (token.keyword()) {
                    case "NULL", "TRUE", "FALSE" -> {
                        return new Expr.Literal(tokens.take());
                    }
                    case "CASE" -> {
                        return caseOf();
                    }
                    case "CAST" -> {
                        if (tokens.peek(1).isSymbol("(")) {
                            return cast();
                        }
                    }
                    case "EXISTS" -> {
                        tokens.take();
                        tokens.expectSymbol("(");
                        return new Expr.Exists(token, closed(query()));
                    }
                    default -> {}
                }
                boolean callable =
                        token.kind() == Token.Kind.WORD && tokens.peek(1).isSymbol("(");
                if (callable && Keywords.isName(token)) {
                    return call();
                }
                if (Keywords.isName(token)) {
                    return name();
                }
            }
        }
        throw tokens.expectedName("an expression");
    }

    private <T> T closed(T inner) {
        tokens.expectSymbol(")");
        return inner;
    }

    private Expr parenthesis() {
        Token open = tokens.take();
        if (startsQuery()) {
            return new Expr.Subquery(open, closed(query()));
        }
        List<Expr> items = expressions();
        tokens.expectSymbol(")");
        return items.size() == 1 ? items.getFirst() : new Expr.Row(open, items);
    }

    private Expr name() {
        Token first = tokens.take();
        if (!tokens.acceptSymbol(".")) {
            return new Expr.Name(first, null);
        }
        Token column = tokens.expectName("a column after " + first.text() + ".");
        return new Expr.Name(column, first);
    }

    private Expr caseOf() {
        Token at = tokens.take();
        Expr operand = tokens.peek().isWord("WHEN") ? null : expression();
        List<Expr.When> whens = new ArrayList<>();
        while (tokens.accept("WHEN")) {
            Expr condition = expression();
            tokens.expect("THEN");
            whens.add(new Expr.When(condition, expression()));
        }
        if (whens.isEmpty()) {
            throw tokens.expected("WHEN");
        }
        Expr otherwise = tokens.accept("ELSE") ? expression() : null;
        tokens.expect("END");
        return new Expr.Case(at, operand, whens, otherwise);
    }

    private Expr cast() {
        Token at = tokens.take();
        tokens.expectSymbol("(");
        Expr operand = expression();
        tokens.expect("AS");
        StringBuilder type = new StringBuilder(tokens.expectName("a type").text());
        while (Keywords.isName(tokens.peek())) {
            type.append(' ').append(tokens.take().text());
        }
        return closed(new Expr.Cast(at, operand, type.toString().toUpperCase(Locale.ROOT)));
    }

    private Expr call() {
        Token name = tokens.take();
        tokens.expectSymbol("(");
        boolean star = tokens.acceptSymbol("*");
        boolean distinct = !star && tokens.accept("DISTINCT");
        List<Expr> arguments = star || tokens.peek().isSymbol(")") ? List.of() : expressions();
        List<Query.Order> order = tokens.acceptBy("ORDER") ? orders() : List.of();
        tokens.expectSymbol(")");
        Expr filter = null;
        if (tokens.peek().isWord("FILTER") && tokens.peek(1).isSymbol("(")) {
            tokens.take();
            tokens.take();
            tokens.expect("WHERE");
            filter = closed(expression());
        }
        Expr.Window window = null;
        if (tokens.peek().isWord("OVER") && (tokens.peek(1).isSymbol("(") || Keywords.isName(tokens.peek(1)))) {
            tokens.take();
            window = tokens.peek().isSymbol("(") ? window() : new Expr.Window(tokens.take(), List.of(), List.of(), "");
        }
        return new Expr.Call(name, star, distinct, arguments, order, filter, window);
    }

    /** Parses the definition of a window in parentheses. */
    protected final Expr.Window window() {
        tokens.expectSymbol("(");
        Token base = null;
        if (Keywords.isName(tokens.peek())
                && !tokens.peek().isWord("PARTITION")
                && !FRAMES.contains(tokens.peek().keyword())) {
            base = tokens.take();
        }
        List<Expr> partition = tokens.acceptBy("PARTITION") ? expressions() : List.of();
        List<Query.Order> order = tokens.acceptBy("ORDER") ? orders() : List.of();
        String frame = "";
        if (FRAMES.contains(tokens.peek().keyword())) {
            frame = frame();
        }
        tokens.expectSymbol(")");
        return new Expr.Window(base, partition, order, frame);
    }

    private String frame() {
        StringBuilder frame = new StringBuilder(tokens.take().keyword());
        if (tokens.accept("BETWEEN")) {
            frame.append(" BETWEEN ").append(bound());
            tokens.expect("AND");
            frame.append(" AND ").append(bound());
        } else {
            frame.append(' ').append(bound());
        }
        if (tokens.accept("EXCLUDE")) {
            frame.append(" EXCLUDE ");
            if (tokens.accept("NO", "OTHERS")) {
                frame.append("NO OTHERS");
            } else if (tokens.accept("CURRENT", "ROW")) {
                frame.append("CURRENT ROW");
            } else if (tokens.peek().isWord("GROUP") || tokens.peek().isWord("TIES")) {
                frame.append(tokens.take().keyword());
            } else {
                throw tokens.expected("NO OTHERS, CURRENT ROW, GROUP or TIES");
            }
        }
        return frame.toString();
    }

    private String bound() {
        if (tokens.accept("CURRENT", "ROW")) {
            return "CURRENT ROW";
        }
        String amount;
        if (tokens.accept("UNBOUNDED")) {
            amount = "UNBOUNDED";
        } else if (tokens.peek().kind() == Token.Kind.INTEGER) {
            amount = tokens.take().text();
        } else {
            throw tokens.expected("UNBOUNDED, CURRENT ROW or a number");
        }
        if (!tokens.peek().isWord("PRECEDING") && !tokens.peek().isWord("FOLLOWING")) {
            throw tokens.expected("PRECEDING or FOLLOWING");
        }
        return amount + " " + tokens.take().keyword();
    }

    protected final List<Query.Order> orders() {
        List<Query.Order> orders = new ArrayList<>();
        do {
            Expr by = expression();
            boolean descending = tokens.accept("DESC");
            if (!descending) {
                tokens.accept("ASC");
            }
            String nulls = "";
            if (tokens.accept("NULLS")) {
                if (!tokens.peek().isWord("FIRST") && !tokens.peek().isWord("LAST")) {
                    throw tokens.expected("FIRST or LAST");
                }
                nulls = tokens.take().keyword();
            }
            orders.add(new Query.Order(by, descending, nulls));
        } while (tokens.acceptSymbol(","));
        return orders;
    }
}
