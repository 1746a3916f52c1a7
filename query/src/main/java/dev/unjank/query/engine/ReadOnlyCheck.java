package dev.unjank.query.engine;

import dev.unjank.query.result.QueryException;
import dev.unjank.query.result.QueryException.Kind;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Rejects statements that may write. DuckDB has no read-only folders, and a query may contain COPY or INSERT in its
 * WITH clause. The check accepts only known kinds of query nodes in DuckDB's own syntax tree.
 */
public final class ReadOnlyCheck {
    private static final JsonFactory JSON = new JsonFactory();

    /** Suffix of the names of all query nodes, including those that write. */
    private static final String QUERY_KIND = "_NODE";

    private static final Set<String> READING =
            Set.of("SELECT_NODE", "SET_OPERATION_NODE", "RECURSIVE_CTE_NODE", "CTE_NODE");

    /** Functions that run a statement given as text, which is not in the tree. */
    private static final Set<String> RUNNING = Set.of("query", "json_execute_serialized_sql");

    private static final String ADVICE =
            "; only statements that read are allowed: SELECT, FROM, WITH, VALUES, DESCRIBE, SHOW, SUMMARIZE, UNPIVOT,"
                    + " PIVOT with IN";

    private ReadOnlyCheck() {}

    /**
     * Checks a syntax tree.
     *
     * @throws QueryException if a statement is wrong or may write
     */
    public static void check(@Nullable String tree) throws QueryException {
        if (tree == null) {
            throw forbidden("the statement cannot be checked");
        }
        boolean isError = false;
        String message = "";
        String type = "";
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), tree)) {
            while (parser.nextToken() != null) {
                if (parser.currentToken() != JsonToken.PROPERTY_NAME) {
                    continue;
                }
                String name = parser.currentName();
                JsonToken value = parser.nextToken();
                String text = value == JsonToken.VALUE_STRING ? parser.getString() : "";
                switch (name) {
                    case "error" -> isError |= value == JsonToken.VALUE_TRUE;
                    case "error_type" -> type = text;
                    case "error_message" -> message = text;
                    case "type" -> checkKind(text);
                    case "function_name" -> checkFunction(text);
                    default -> {}
                }
            }
        } catch (JacksonException e) {
            throw forbidden("the statement cannot be checked: " + e.getMessage());
        }
        if (isError) {
            throw type.equals("not implemented")
                    ? forbidden("the statement is not a query")
                    : new QueryException(message, -1);
        }
    }

    private static void checkKind(String kind) throws QueryException {
        if (kind.endsWith(QUERY_KIND) && !READING.contains(kind)) {
            String words =
                    kind.substring(0, kind.length() - QUERY_KIND.length()).replace("_QUERY", "");
            throw forbidden("the statement contains " + words);
        }
    }

    private static void checkFunction(String function) throws QueryException {
        if (RUNNING.contains(function.toLowerCase(Locale.ROOT))) {
            throw forbidden("the statement calls " + function + ", which runs other statements");
        }
    }

    private static QueryException forbidden(String reason) {
        return new QueryException(Kind.FORBIDDEN, reason + ADVICE, -1);
    }
}
