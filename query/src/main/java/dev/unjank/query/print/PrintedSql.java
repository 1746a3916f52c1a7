package dev.unjank.query.print;

import dev.unjank.query.source.Token;
import java.util.ArrayList;
import java.util.List;

/**
 * Marks in generated SQL that record the token a part comes from. A mark is a number between control characters, which no
 * token contains; {@link #resolve} removes the marks and keeps their offsets.
 */
public final class PrintedSql {
    private static final char OPEN = '\u0001';
    private static final char CLOSE = '\u0002';

    private final List<Token> tokens = new ArrayList<>();

    /** Creates a mark, to be inserted before SQL that comes from a token. */
    public String mark(Token token) {
        tokens.add(token);
        return OPEN + Integer.toString(tokens.size() - 1) + CLOSE;
    }

    /** Removes the marks. */
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

    /** Removes the marks from SQL and returns their offsets. */
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

    /** SQL without marks; ascending offsets and the token of each. */
    public record Marked(String sql, List<Integer> offsets, List<Token> tokens) {
        /** The token of the last mark at or before an offset; {@code otherwise} if there is none. */
        public Token at(int offset, Token otherwise) {
            Token found = otherwise;
            for (int i = 0; i < offsets.size() && offsets.get(i) <= offset; i++) {
                found = tokens.get(i);
            }
            return found;
        }
    }
}
