package dev.unjank.query.parse;

import dev.unjank.query.source.PerfettoSqlException;
import dev.unjank.query.source.SourceText;
import dev.unjank.query.source.Token;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Lexer: splits text into statements of tokens. Skips comments and white space. */
public final class Lexer {
    private static final List<String> SYMBOLS = List.of(
            "->>", "->", "||", "<<", ">>", "<=", ">=", "<>", "!=", "==", "=", "<", ">", "+", "-", "*", "/", "%", "&",
            "|", "~", "(", ")", ",", ".", ";", "!");

    private final SourceText source;
    private final String text;
    private int at;

    public Lexer(SourceText source) {
        this.source = source;
        this.text = source.text();
    }

    /** All non-empty statements, each with a final token of kind END. */
    public static List<List<Token>> statements(SourceText source) {
        Lexer lexer = new Lexer(source);
        List<List<Token>> statements = new ArrayList<>();
        for (List<Token> statement = lexer.statement(); statement != null; statement = lexer.statement()) {
            statements.add(statement);
        }
        return statements;
    }

    /** The next non-empty statement with a final token of kind END; null at the end. */
    @Nullable
    public List<Token> statement() {
        List<Token> statement = new ArrayList<>();
        while (true) {
            Token token = next();
            boolean atEnd = token.kind() == Token.Kind.END;
            if (!atEnd && !token.isSymbol(";")) {
                statement.add(token);
            } else if (!statement.isEmpty()) {
                int end = statement.getLast().end();
                statement.add(new Token(Token.Kind.END, "", source, end, end, null));
                return statement;
            } else if (atEnd) {
                return null;
            }
        }
    }

    private Token next() {
        skipBlanks();
        int start = at;
        if (at == text.length()) {
            return token(Token.Kind.END, "", start);
        }
        char c = text.charAt(at);
        if ((c == 'x' || c == 'X') && at + 1 < text.length() && text.charAt(at + 1) == '\'') {
            return blob(start);
        }
        if (isWordStart(c)) {
            return token(Token.Kind.WORD, word(), start);
        }
        if (isDigit(c) || (c == '.' && at + 1 < text.length() && isDigit(text.charAt(at + 1)))) {
            return number(start);
        }
        return switch (c) {
            case '\'' -> token(Token.Kind.STRING, quoted('\'', "string"), start);
            case '"' -> token(Token.Kind.DOUBLE_QUOTED, quoted('"', "quoted name"), start);
            case '`' -> token(Token.Kind.QUOTED_WORD, quoted('`', "quoted name"), start);
            case '[' -> token(Token.Kind.QUOTED_WORD, quoted(']', "quoted name"), start);
            case '$' -> parameter(start);
            default -> symbol(start);
        };
    }

    private void skipBlanks() {
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\uFEFF') {
                at++;
            } else if (text.startsWith("--", at)) {
                int end = text.indexOf('\n', at);
                at = end < 0 ? text.length() : end;
            } else if (text.startsWith("/*", at)) {
                int end = text.indexOf("*/", at + 2);
                // as in SQLite, an unterminated comment extends to the end
                at = end < 0 ? text.length() : end + 2;
            } else {
                return;
            }
        }
    }

    private Token symbol(int start) {
        for (String symbol : SYMBOLS) {
            if (text.startsWith(symbol, at)) {
                at += symbol.length();
                return token(Token.Kind.SYMBOL, symbol, start);
            }
        }
        if (text.startsWith("::", at)) {
            throw PerfettoSqlException.at(source, start, "expected CAST(... AS ...) instead of ::");
        }
        int codePoint = text.codePointAt(at);
        String shown = codePoint < ' ' ? String.format("U+%04X", codePoint) : Character.toString(codePoint);
        throw PerfettoSqlException.at(source, start, "unexpected character " + shown);
    }

    private Token parameter(int start) {
        at++;
        if (at == text.length() || !isWordStart(text.charAt(at))) {
            throw PerfettoSqlException.at(source, start, "expected a parameter's name after $");
        }
        return token(Token.Kind.PARAMETER, word(), start);
    }

    private String word() {
        int start = at;
        while (at < text.length()
                && (isWordStart(text.charAt(at)) || isDigit(text.charAt(at)) || text.charAt(at) == '$')) {
            at++;
        }
        return text.substring(start, at);
    }

    private String quoted(char quote, String what) {
        int start = at;
        StringBuilder value = new StringBuilder();
        at++;
        while (at < text.length()) {
            char c = text.charAt(at++);
            if (c == quote) {
                if (quote == ']' || at == text.length() || text.charAt(at) != quote) {
                    return value.toString();
                }
                at++;
            } else if (c < '\t' || (c > '\r' && c < ' ')) {
                throw PerfettoSqlException.at(
                        source, at - 1, String.format("control character U+%04X in a %s", (int) c, what));
            }
            value.append(c);
        }
        throw PerfettoSqlException.at(source, start, "expected " + quote + " at the end of this " + what);
    }

    private Token blob(int start) {
        at++;
        String digits = quoted('\'', "blob");
        if (digits.length() % 2 != 0 || !digits.chars().allMatch(c -> Character.digit(c, 16) >= 0 && c < 128)) {
            throw PerfettoSqlException.at(source, start, "expected pairs of hexadecimal digits in a blob");
        }
        return token(Token.Kind.BLOB, digits, start);
    }

    private Token number(int start) {
        if (text.startsWith("0x", at) || text.startsWith("0X", at)) {
            at += 2;
            int digits = at;
            skipDigits(16);
            int count = text.substring(digits, at).replace("_", "").length();
            return endOfNumber(count > 0 && count <= 16, Token.Kind.INTEGER, start);
        }
        skipDigits(10);
        boolean real = false;
        if (at < text.length() && text.charAt(at) == '.') {
            real = true;
            at++;
            skipDigits(10);
        }
        if (at < text.length() && (text.charAt(at) == 'e' || text.charAt(at) == 'E')) {
            real = true;
            at++;
            if (at < text.length() && (text.charAt(at) == '+' || text.charAt(at) == '-')) {
                at++;
            }
            int digits = at;
            skipDigits(10);
            if (at == digits) {
                return endOfNumber(false, Token.Kind.REAL, start);
            }
        }
        return endOfNumber(true, real ? Token.Kind.REAL : Token.Kind.INTEGER, start);
    }

    private Token endOfNumber(boolean wellFormed, Token.Kind kind, int start) {
        if (!wellFormed || (at < text.length() && isWordStart(text.charAt(at)))) {
            throw PerfettoSqlException.at(source, start, "expected a number");
        }
        return token(kind, text.substring(start, at).replace("_", ""), start);
    }

    /** Digits, separated by single underscores. */
    private void skipDigits(int radix) {
        while (isDigit(at, radix)
                || (at < text.length() && text.charAt(at) == '_' && isDigit(at - 1, radix) && isDigit(at + 1, radix))) {
            at++;
        }
    }

    private boolean isDigit(int place, int radix) {
        return place < text.length() && text.charAt(place) < 0x80 && Character.digit(text.charAt(place), radix) >= 0;
    }

    private Token token(Token.Kind kind, String value, int start) {
        return new Token(kind, value, source, start, at, null);
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isWordStart(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c >= 0x80 && c != '\uFEFF');
    }
}
