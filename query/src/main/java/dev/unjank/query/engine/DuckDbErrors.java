package dev.unjank.query.engine;

import dev.unjank.query.result.QueryException;
import dev.unjank.query.result.QueryException.Kind;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** Converts DuckDB's JSON errors ({@code errors_as_json}) to a {@link QueryException} of one line with a position. */
public final class DuckDbErrors {
    private static final JsonFactory JSON = new JsonFactory();

    private DuckDbErrors() {}

    /**
     * Converts an exception of the driver.
     *
     * @param sql the statement in which to locate the error; null if the position does not refer to it
     */
    public static QueryException translate(SQLException e, @Nullable String sql) {
        String text = String.valueOf(e.getMessage());
        int brace = text.indexOf('{');
        Map<String, String> error = brace < 0 ? Map.of() : parse(text.substring(brace));
        String message = innermostMessage(error.getOrDefault("exception_message", text));
        int position = position(error.get("position"));
        return new QueryException(
                isUnsupportedByEngine(message) ? Kind.STATEMENT : kind(error.getOrDefault("exception_type", "")),
                oneLine(message),
                sql == null || position < 0 ? -1 : charOffset(sql, position));
    }

    /** The message of a nested error: a failure on another engine thread quotes its error as JSON. */
    private static String innermostMessage(String message) {
        int brace = message.indexOf("{\"exception_type\"");
        String inner = brace < 0 ? null : parse(message.substring(brace)).get("exception_message");
        return inner == null ? message : inner;
    }

    /** Whether an unsupported feature caused the failure: DuckDB reports some of these as internal errors. */
    private static boolean isUnsupportedByEngine(String message) {
        return message.contains("Cannot copy BoundSubqueryExpression");
    }

    private static Kind kind(String type) {
        return switch (type) {
            case "Parser",
                    "Syntax",
                    "Binder",
                    "Catalog",
                    "Conversion",
                    "Invalid Input",
                    "Invalid Type",
                    "Out of Range",
                    "Mismatch Type",
                    "Constraint",
                    "Dependency",
                    "Not implemented",
                    "Parameter Not Resolved" -> Kind.STATEMENT;
            case "Permission" -> Kind.FORBIDDEN;
            case "INTERRUPT" -> Kind.INTERRUPTED;
            case "Out of Memory" -> Kind.MEMORY;
            default -> Kind.FAILURE;
        };
    }

    private static Map<String, String> parse(String json) {
        Map<String, String> fields = new HashMap<>();
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), json)) {
            if (parser.nextToken() == JsonToken.START_OBJECT) {
                while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                    String name = parser.currentName();
                    parser.nextToken();
                    fields.put(name, parser.getValueAsString(""));
                    parser.skipChildren();
                }
            }
        } catch (JacksonException _) {
            // not JSON: keep the fields read so far
        }
        return fields;
    }

    private static int position(@Nullable String text) {
        try {
            return text == null ? -1 : Integer.parseInt(text);
        } catch (NumberFormatException _) {
            return -1;
        }
    }

    /** Converts an offset in UTF-8 bytes, as DuckDB reports it, to an offset in chars. */
    private static int charOffset(String sql, int bytes) {
        byte[] utf8 = sql.getBytes(StandardCharsets.UTF_8);
        return bytes > utf8.length ? -1 : new String(utf8, 0, bytes, StandardCharsets.UTF_8).length();
    }

    /** Joins lines with semicolons. */
    private static String oneLine(String message) {
        return message.strip().replaceAll("\\s*\\n+\\s*", "; ").replaceAll("!;|\\.;|;;", ";");
    }
}
