package dev.unjank.query.source;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The smallest piece of a statement.
 *
 * @param kind what it is
 * @param text its value: an identifier or a string without its quotes, a parameter without its {@code $}
 * @param source where it stands
 * @param start its first character there
 * @param end one past its last
 * @param site the macro call that brought it here, null if it was written here
 */
public record Token(
        Kind kind,
        String text,
        SourceText source,
        int start,
        int end,
        @Nullable Token site) {
    public enum Kind {
        WORD,
        QUOTED_WORD,
        DOUBLE_QUOTED,
        STRING,
        BLOB,
        INTEGER,
        REAL,
        PARAMETER,
        SYMBOL,
        END
    }

    public boolean isWord(String keyword) {
        return kind == Kind.WORD && text.equalsIgnoreCase(keyword);
    }

    public boolean isSymbol(String symbol) {
        return kind == Kind.SYMBOL && text.equals(symbol);
    }

    /** The word in upper case if it may be a keyword, else an empty text. */
    public String keyword() {
        return kind == Kind.WORD ? text.toUpperCase(Locale.ROOT) : "";
    }

    /** What the user wrote that led here: this token, or the outermost macro call. */
    Token root() {
        Token token = this;
        while (token.site != null) {
            token = token.site;
        }
        return token;
    }

    public Token broughtBy(Token call) {
        return new Token(kind, text, source, start, end, site == null ? call : site.broughtBy(call));
    }

    /** The token as it was written. */
    public String written() {
        return source.text().substring(start, end);
    }

    /** For messages. */
    public String described() {
        if (kind == Kind.END) {
            return "the end of the statement";
        }
        String written = written();
        return written.length() <= 40 ? written : written.substring(0, 40) + "…";
    }
}
