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

/** What DuckDB says of a failure, {@code errors_as_json}, in one line and with the place. */
public final class DuckDbErrors {
    private static final JsonFactory JSON = new JsonFactory();

    private DuckDbErrors() {}

    /** With the statement's text to find the place in it, null where the place is not known to be in it. */
    public static QueryException translate(SQLException e, @Nullable String sql) {
        String said = String.valueOf(e.getMessage());
        int brace = said.indexOf('{');
        Map<String, String> error = brace < 0 ? Map.of() : parse(said.substring(brace));
        String message = innermost(error.getOrDefault("exception_message", said));
        int position = position(error.get("position"));
        return new QueryException(
                isBeyondIt(message) ? Kind.STATEMENT : kind(error.getOrDefault("exception_type", "")),
                oneLine(message),
                sql == null || position < 0 ? -1 : charOffset(sql, position));
    }

    /** What failed in another thread of the engine's is told as the message of a failure that quotes it. */
    private static String innermost(String message) {
        int brace = message.indexOf("{\"exception_type\"");
        String inner = brace < 0 ? null : parse(message.substring(brace)).get("exception_message");
        return inner == null ? message : inner;
    }

    /** Whether the engine stumbled over something that it does not know how to do: it takes that for a failure of its own. */
    private static boolean isBeyondIt(String message) {
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
            // not JSON after all: what was read so far, or nothing
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

    /** DuckDB counts bytes of UTF-8. */
    private static int charOffset(String sql, int bytes) {
        byte[] utf8 = sql.getBytes(StandardCharsets.UTF_8);
        return bytes > utf8.length ? -1 : new String(utf8, 0, bytes, StandardCharsets.UTF_8).length();
    }

    /** The first line and, if it follows, what was probably meant. */
    private static String oneLine(String message) {
        return message.strip().replaceAll("\\s*\\n+\\s*", "; ").replaceAll("!;|\\.;|;;", ";");
    }
}
