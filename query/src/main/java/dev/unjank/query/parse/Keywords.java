package dev.unjank.query.parse;

import dev.unjank.query.source.Token;
import java.util.Set;

/** Reserved words. Like SQLite, other keywords may be used as names. */
final class Keywords {
    private static final Set<String> RESERVED = Set.of(
            "ADD",
            "ALL",
            "ALTER",
            "AND",
            "AS",
            "BETWEEN",
            "CASE",
            "CHECK",
            "COLLATE",
            "COMMIT",
            "CONSTRAINT",
            "CREATE",
            "DEFAULT",
            "DELETE",
            "DISTINCT",
            "DROP",
            "ELSE",
            "ESCAPE",
            "EXCEPT",
            "EXISTS",
            "FROM",
            "GROUP",
            "HAVING",
            "IN",
            "INSERT",
            "INTERSECT",
            "INTO",
            "IS",
            "ISNULL",
            "JOIN",
            "LIMIT",
            "NOT",
            "NOTNULL",
            "NULL",
            "ON",
            "OR",
            "ORDER",
            "PRIMARY",
            "SELECT",
            "SET",
            "TABLE",
            "THEN",
            "TO",
            "UNION",
            "UNIQUE",
            "UPDATE",
            "USING",
            "VALUES",
            "WHEN",
            "WHERE");

    /** Words that may follow a table or column, and are aliases only after AS. */
    private static final Set<String> NO_ALIAS = Set.of(
            "CROSS",
            "FULL",
            "INNER",
            "LEFT",
            "NATURAL",
            "OUTER",
            "RIGHT",
            "WINDOW",
            "OFFSET",
            "LIKE",
            "GLOB",
            "REGEXP",
            "MATCH",
            "END",
            "ASC",
            "DESC",
            "NULLS",
            "OVER",
            "FILTER",
            "PARTITIONED");

    /** Reserved words that are not mistaken for names: at an unexpected position, something before them is missing. */
    static final Set<String> CLAUSE_KEYWORDS =
            Set.of("AND", "AS", "FROM", "HAVING", "IN", "IS", "JOIN", "ON", "OR", "SELECT", "UNION", "USING", "WHERE");

    /** Keywords suggested for misspelt words. */
    static final Set<String> SUGGESTED = Set.of(
            "AND",
            "BETWEEN",
            "CREATE",
            "DISTINCT",
            "EXISTS",
            "FROM",
            "FUNCTION",
            "GROUP",
            "HAVING",
            "INCLUDE",
            "INSERT",
            "JOIN",
            "LEFT",
            "LIKE",
            "LIMIT",
            "MACRO",
            "MODULE",
            "OFFSET",
            "ORDER",
            "PARTITIONED",
            "PERFETTO",
            "REPLACE",
            "RETURNS",
            "SELECT",
            "TABLE",
            "UNION",
            "USING",
            "VALUES",
            "VIEW",
            "VIRTUAL",
            "WHERE",
            "WITH");

    private Keywords() {}

    static boolean isReserved(Token token) {
        return RESERVED.contains(token.keyword());
    }

    /** Whether a token is a name. */
    static boolean isName(Token token) {
        return switch (token.kind()) {
            case WORD -> !isReserved(token);
            case QUOTED_WORD, DOUBLE_QUOTED -> true;
            default -> false;
        };
    }

    /** Whether a token may be an alias without AS. A table alias may be "end", as in Perfetto's standard library. */
    static boolean isBareAlias(Token token, boolean ofTable) {
        boolean end = ofTable && token.isWord("end");
        return isName(token) && (end || !NO_ALIAS.contains(token.keyword()));
    }
}
