package dev.unjank.query.print;

import dev.unjank.query.source.Token;
import java.util.ArrayList;
import java.util.List;

/**
 * Marks in the engine's SQL that say which token a part of it came from. They are control characters, which no token can
 * hold, with a number between; {@link #resolve} takes them out and remembers where they were.
 */
public final class PrintedSql {
    private static final char OPEN = '\u0001';
    private static final char CLOSE = '\u0002';

    private final List<Token> tokens = new ArrayList<>();

    /** The text to put before what comes from a token. */
    public String mark(Token token) {
        tokens.add(token);
        return OPEN + Integer.toString(tokens.size() - 1) + CLOSE;
    }

    public static String strip(String marked) {
        if (marked.indexOf(OPEN) < 0) {
            return marked;
        }
        StringBuilder plain = new StringBuilder(marked.length());
        for (int i = 0; i < marked.length(); i++) {
            if (marked.charAt(i) == OPEN) {
                i = marked.indexOf(CLOSE, i);
            } else {
                plain.append(marked.charAt(i));
            }
        }
        return plain.toString();
    }

    /** A text without its marks, and what they marked. */
    public Marked resolve(String marked) {
        StringBuilder plain = new StringBuilder(marked.length());
        List<Integer> offsets = new ArrayList<>();
        List<Token> marks = new ArrayList<>();
        for (int i = 0; i < marked.length(); i++) {
            if (marked.charAt(i) == OPEN) {
                int close = marked.indexOf(CLOSE, i);
                offsets.add(plain.length());
                marks.add(tokens.get(Integer.parseInt(marked, i + 1, close, 10)));
                i = close;
            } else {
                plain.append(marked.charAt(i));
            }
        }
        return new Marked(plain.toString(), offsets, marks);
    }

    /** The engine's SQL, and for ascending offsets the tokens that stand there. */
    public record Marked(String sql, List<Integer> offsets, List<Token> tokens) {
        /** The last token marked at or before an offset; {@code otherwise} if there is none. */
        public Token at(int offset, Token otherwise) {
            Token found = otherwise;
            for (int i = 0; i < offsets.size() && offsets.get(i) <= offset; i++) {
                found = tokens.get(i);
            }
            return found;
        }
    }
}
