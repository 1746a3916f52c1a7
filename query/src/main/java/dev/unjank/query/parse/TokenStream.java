package dev.unjank.query.parse;

import dev.unjank.query.source.NameSuggestion;
import dev.unjank.query.source.PerfettoSqlException;
import dev.unjank.query.source.Token;
import java.util.List;

/** Tokens of a statement, read from left to right. */
final class TokenStream {
    private final List<Token> tokens;
    private int next;

    /** The last token must be of kind END. */
    TokenStream(List<Token> tokens) {
        this.tokens = tokens;
    }

    Token peek() {
        return tokens.get(next);
    }

    Token peek(int ahead) {
        return tokens.get(Math.min(next + ahead, tokens.size() - 1));
    }

    Token take() {
        Token token = tokens.get(next);
        if (next < tokens.size() - 1) {
            next++;
        }
        return token;
    }

    int position() {
        return next;
    }

    /** The remaining tokens without END. */
    List<Token> takeRest() {
        List<Token> rest = tokens.subList(next, tokens.size() - 1);
        next = tokens.size() - 1;
        return rest;
    }

    boolean atEnd() {
        return peek().kind() == Token.Kind.END;
    }

    boolean accept(String keyword) {
        boolean found = peek().isWord(keyword);
        if (found) {
            take();
        }
        return found;
    }

    boolean acceptSymbol(String symbol) {
        boolean found = peek().isSymbol(symbol);
        if (found) {
            take();
        }
        return found;
    }

    /** Takes both words or neither. */
    boolean accept(String first, String second) {
        boolean found = peek().isWord(first) && peek(1).isWord(second);
        if (found) {
            take();
            take();
        }
        return found;
    }

    /** Takes the word and the following BY, or nothing. */
    boolean acceptBy(String keyword) {
        boolean found = accept(keyword);
        if (found) {
            expect("BY");
        }
        return found;
    }

    Token expect(String keyword) {
        if (!peek().isWord(keyword)) {
            throw expected(keyword);
        }
        return take();
    }

    Token expectSymbol(String symbol) {
        if (!peek().isSymbol(symbol)) {
            throw expected(symbol.equals(",") ? "a comma" : symbol);
        }
        return take();
    }

    Token expectName(String what) {
        if (!Keywords.isName(peek())) {
            throw expectedName(what);
        }
        return take();
    }

    PerfettoSqlException expected(String what) {
        return unexpected(what, "");
    }

    /** The error for a missing name. */
    PerfettoSqlException expectedName(String what) {
        boolean reserved = Keywords.isReserved(peek()) && !Keywords.CLAUSE_KEYWORDS.contains(peek().keyword());
        return unexpected(what, reserved ? ", a reserved word; quote it to use it as a name" : "");
    }

    /**
     * The error for an unexpected token. A misspelt keyword often parses as an alias, such as FORM in "SELECT ts FORM
     * slice"; then the error is reported there instead of at the next token.
     */
    private PerfettoSqlException unexpected(String what, String more) {
        Token found = peek();
        String meant = suggestionFor(found);
        Token before = next == 0 ? found : tokens.get(next - 1);
        boolean isKeyword = Keywords.SUGGESTED.contains(found.keyword());
        if (meant.isEmpty() && !isKeyword && Keywords.isName(before)) {
            String meantBefore = suggestionFor(before);
            if (!meantBefore.isEmpty()) {
                return PerfettoSqlException.at(before, "unexpected " + before.forMessage() + meantBefore);
            }
        }
        return PerfettoSqlException.at(found, "expected " + what + ", found " + found.forMessage() + more + meant);
    }

    private static String suggestionFor(Token token) {
        return token.kind() == Token.Kind.WORD ? NameSuggestion.of(token.text(), Keywords.SUGGESTED) : "";
    }

    /** Skips a list in parentheses. */
    void skipParentheses() {
        int open = 0;
        do {
            if (atEnd()) {
                throw expected(")");
            }
            Token token = take();
            open += token.isSymbol("(") ? 1 : token.isSymbol(")") ? -1 : 0;
        } while (open > 0);
    }

    /** Whether a name occurs between a position and the next token. */
    boolean containsName(int from, String name) {
        return tokens.subList(from, next).stream()
                .anyMatch(token -> Keywords.isName(token) && token.text().equalsIgnoreCase(name));
    }

    /** The source text from a position to the next token. */
    String sourceTextFrom(int from) {
        Token first = tokens.get(from);
        Token last = tokens.get(Math.max(from, next - 1));
        boolean oneText = first.source().equals(last.source()) && first.callSite() == null && last.callSite() == null;
        if (oneText) {
            return first.source().text().substring(first.start(), last.end());
        }
        StringBuilder text = new StringBuilder();
        for (Token token : tokens.subList(from, next)) {
            text.append(text.isEmpty() ? "" : " ").append(token.sourceText());
        }
        return text.toString();
    }
}
