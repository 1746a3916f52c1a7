package dev.unjank.query.parse;

import dev.unjank.query.source.Token;
import dev.unjank.query.tree.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The columns of CREATE TABLE. Constraints and keys are accepted and have no effect, because tables are only written
 * and read here; but an INTEGER PRIMARY KEY numbers the rows, as in SQLite.
 *
 * @param names the columns
 * @param key the column that numbers the rows; null for none
 */
record TableColumns(
        List<Statement.TypedName> names, @Nullable Token key) {
    private static final Set<String> TABLE_CONSTRAINTS = Set.of("PRIMARY", "UNIQUE", "CHECK", "FOREIGN", "CONSTRAINT");
    private static final Set<String> COLUMN_CONSTRAINTS = Set.of(
            "PRIMARY", "UNIQUE", "CHECK", "NOT", "NULL", "DEFAULT", "COLLATE", "REFERENCES", "CONSTRAINT", "GENERATED");

    /** Parses the columns after the opening parenthesis, and the options after the closing one. */
    static TableColumns parse(TokenStream tokens) {
        List<Statement.TypedName> names = new ArrayList<>();
        Token key = null;
        do {
            if (!names.isEmpty() && TABLE_CONSTRAINTS.contains(tokens.peek().keyword())) {
                skipConstraints(tokens);
                continue;
            }
            Statement.TypedName column = column(tokens);
            names.add(column);
            boolean primary = tokens.peek().isWord("PRIMARY");
            if (primary && column.type().text().equalsIgnoreCase("INTEGER")) {
                key = column.name();
            }
            if (COLUMN_CONSTRAINTS.contains(tokens.peek().keyword())) {
                skipConstraints(tokens);
            }
        } while (tokens.acceptSymbol(","));
        tokens.expectSymbol(")");
        skipOptions(tokens);
        return new TableColumns(names, key);
    }

    private static Statement.TypedName column(TokenStream tokens) {
        Token name = tokens.expectName("a name");
        Token type = name;
        if (Keywords.isName(tokens.peek())
                && !COLUMN_CONSTRAINTS.contains(tokens.peek().keyword())) {
            type = tokens.take();
            if (tokens.peek().isSymbol("(")) {
                tokens.skipParentheses();
            }
        }
        return new Statement.TypedName(name, type);
    }

    private static void skipConstraints(TokenStream tokens) {
        while (!tokens.atEnd() && !tokens.peek().isSymbol(",") && !tokens.peek().isSymbol(")")) {
            if (tokens.peek().isSymbol("(")) {
                tokens.skipParentheses();
            } else {
                tokens.take();
            }
        }
    }

    private static void skipOptions(TokenStream tokens) {
        do {
            if (tokens.accept("WITHOUT")) {
                tokens.expect("ROWID");
            } else if (!tokens.accept("STRICT")) {
                return;
            }
        } while (tokens.acceptSymbol(","));
    }
}
