package dev.unjank.fleet.label;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A reader of CSV (RFC 4180); lines may also end with a line feed alone. DuckDB's {@code read_csv} is no replacement:
 * with a given format it accepts a quote that is never closed, without one it turns surplus values into a new column,
 * and it counts records instead of lines. Such a file would label the wrong traces, so this reader reports an error
 * with the line.
 */
public final class CsvReader {
    private final String text;
    private int at;
    private int line = 1;

    private CsvReader(String text) {
        this.text = text.startsWith("\uFEFF") ? text.substring(1) : text; // the byte order mark
    }

    /** A record, with the number of its first line, starting at 1. */
    public record Row(int line, List<String> fields) {}

    /** All records, without empty lines. Fails if a quote is not closed. */
    public static List<Row> parse(String text) throws IOException {
        CsvReader csv = new CsvReader(text);
        List<Row> rows = new ArrayList<>();
        while (csv.at < csv.text.length()) {
            int line = csv.line;
            List<String> fields = csv.fields();
            if (fields.size() > 1 || !fields.getFirst().isEmpty()) {
                rows.add(new Row(line, fields));
            }
        }
        return rows;
    }

    private List<String> fields() throws IOException {
        List<String> fields = new ArrayList<>();
        while (true) {
            fields.add(field());
            char end = at < text.length() ? text.charAt(at++) : '\n';
            if (end == '\r' && at < text.length() && text.charAt(at) == '\n') {
                at++;
            }
            if (end != ',') {
                line++;
                return fields;
            }
        }
    }

    private String field() throws IOException {
        StringBuilder field = new StringBuilder();
        boolean quoted = false;
        int began = line;
        for (; at < text.length(); at++) {
            char c = text.charAt(at);
            if (c == '"' && quoted && at + 1 < text.length() && text.charAt(at + 1) == '"') {
                field.append('"');
                at++;
            } else if (c == '"') {
                quoted = !quoted;
            } else if (!quoted && (c == ',' || c == '\n' || c == '\r')) {
                break;
            } else {
                line += c == '\n' ? 1 : 0;
                field.append(c);
            }
        }
        if (quoted) {
            throw new IOException("line " + began + ": a quote is not closed");
        }
        return field.toString();
    }
}
