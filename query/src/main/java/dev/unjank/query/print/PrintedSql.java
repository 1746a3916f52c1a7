package dev.unjank.query.print;

import dev.unjank.query.source.Token;
import java.util.List;
import java.util.Set;

/**
 * A statement in DuckDB's SQL, with the token that each part comes from.
 *
 * @param sql the text
 * @param offsets where parts begin in the text, ascending
 * @param tokens the token of each of these parts
 * @param macros the macros of {@code sqlite.sql} that it calls
 */
public record PrintedSql(String sql, List<Integer> offsets, List<Token> tokens, Set<String> macros) {
    /** The token of the last part that begins at or before an offset; {@code otherwise} if there is none. */
    public Token at(int offset, Token otherwise) {
        Token found = otherwise;
        for (int i = 0; i < offsets.size() && offsets.get(i) <= offset; i++) {
            found = tokens.get(i);
        }
        return found;
    }
}
