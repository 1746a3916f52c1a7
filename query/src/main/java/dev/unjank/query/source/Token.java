package dev.unjank.query.source;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A lexical token.
 *
 * @param kind its kind
 * @param text its value: identifiers and strings without quotes, parameters without {@code $}
 * @param source the text that contains it
 * @param start offset of its first character
 * @param end offset after its last character
 * @param callSite the call of the macro or function with this token in its body; null outside of such bodies
 */
public record Token(
        Kind kind,
        String text,
        SourceText source,
        int start,
        int end,
        @Nullable Token callSite) {
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

    /** The word in upper case if it may be a keyword; an empty string otherwise. */
    public String keyword() {
        return kind == Kind.WORD ? text.toUpperCase(Locale.ROOT) : "";
    }

    /** This token, or the outermost of the calls that inlined it. */
    Token outermostCall() {
        Token token = this;
        while (token.callSite != null) {
            token = token.callSite;
        }
        return token;
    }

    /** The same token in a body inlined at a call. */
    public Token withCallSite(Token call) {
        return new Token(kind, text, source, start, end, callSite == null ? call : callSite.withCallSite(call));
    }

    /** The token as written, with quotes. */
    public String sourceText() {
        return source.text().substring(start, end);
    }

    /** The token as shown in messages. */
    public String forMessage() {
        if (kind == Kind.END) {
            return "the end of the statement";
        }
        String written = sourceText();
        return written.length() <= 40 ? written : written.substring(0, 40) + "…";
    }
}
