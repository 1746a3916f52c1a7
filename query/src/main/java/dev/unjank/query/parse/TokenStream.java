package dev.unjank.query.parse;

import dev.unjank.query.source.NameSuggestion;
import dev.unjank.query.source.PerfettoSqlException;
import dev.unjank.query.source.Token;
import java.util.List;

/** The tokens of a statement, read from left to right, with the questions that a parser asks. */
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

    /** All tokens not yet taken but the END. */
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

    /** Takes both words or none. */
    boolean accept(String first, String second) {
        boolean found = peek().isWord(first) && peek(1).isWord(second);
        if (found) {
            take();
            take();
        }
        return found;
    }

    /** Takes the word and the BY that must follow it, or nothing. */
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
        return mistake(what, "");
    }

    /** What to say where something with a name could have stood. */
    PerfettoSqlException expectedName(String what) {
        boolean reserved = Keywords.isReserved(peek()) && !Keywords.BETWEEN_NAMES.contains(peek().keyword());
        return mistake(what, reserved ? ", which is a name only in double quotes" : "");
    }

    /**
     * A misspelt keyword is often taken for a name at first, as FORM in "SELECT ts FORM slice" for another name of ts; what
     * comes after it is then too much.
     */
    private PerfettoSqlException mistake(String what, String more) {
        Token found = peek();
        String meant = meantBy(found);
        Token before = next == 0 ? found : tokens.get(next - 1);
        boolean isKeyword = Keywords.ALL.contains(found.keyword());
        if (meant.isEmpty() && !isKeyword && Keywords.isName(before)) {
            String meantBefore = meantBy(before);
            if (!meantBefore.isEmpty()) {
                return PerfettoSqlException.at(before, "unexpected " + before.described() + meantBefore);
            }
        }
        return PerfettoSqlException.at(found, "expected " + what + ", found " + found.described() + more + meant);
    }

    private static String meantBy(Token token) {
        return token.kind() == Token.Kind.WORD ? NameSuggestion.of(token.text(), Keywords.ALL) : "";
    }

    /** Whether a name is among the tokens from a position up to the next one. */
    boolean containsName(int from, String name) {
        return tokens.subList(from, next).stream()
                .anyMatch(token -> Keywords.isName(token) && token.text().equalsIgnoreCase(name));
    }

    /** What was written from a position up to the next token. */
    String writtenFrom(int from) {
        Token first = tokens.get(from);
        Token last = tokens.get(Math.max(from, next - 1));
        boolean oneText = first.source().equals(last.source()) && first.site() == null && last.site() == null;
        if (oneText) {
            return first.source().text().substring(first.start(), last.end());
        }
        StringBuilder text = new StringBuilder();
        for (Token token : tokens.subList(from, next)) {
            text.append(text.isEmpty() ? "" : " ").append(token.written());
        }
        return text.toString();
    }
}
