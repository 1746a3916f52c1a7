package dev.unjank.query.parse;

import dev.unjank.query.source.Token;
import java.util.Set;

/** Words that are no names. SQLite lets most of its keywords be names where nothing else can stand; so do we. */
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

    /** Words that may follow a table or a column and so are no alias there, unless AS precedes them. */
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

    /** Reserved words that nobody takes for names: where one of them stands too early, something before it is missing. */
    static final Set<String> BETWEEN_NAMES =
            Set.of("AND", "AS", "FROM", "HAVING", "IN", "IS", "JOIN", "ON", "OR", "SELECT", "UNION", "USING", "WHERE");

    /** What a misspelt word may have meant: keywords that stand where a reader of SQL looks for structure. */
    static final Set<String> ALL = Set.of(
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

    /** Whether a token is an alias without AS before it; a table may be called "end", as in the standard library. */
    static boolean isBareAlias(Token token, boolean ofTable) {
        boolean end = ofTable && token.isWord("end");
        return isName(token) && (end || !NO_ALIAS.contains(token.keyword()));
    }
}
