package dev.unjank.fleet;

import java.util.ArrayList;
import java.util.List;

/** Comma-separated values as RFC 4180 has them; a line may also end with a mere line feed. */
final class Csv {
    private final String text;
    private int at;

    private Csv(String text) {
        this.text =
                text.startsWith("\uFEFF") ? text.substring(1) : text; // the mark that some programs begin files with
    }

    /** All records, without empty lines. */
    static List<List<String>> parse(String text) {
        Csv csv = new Csv(text);
        List<List<String>> records = new ArrayList<>();
        while (csv.at < csv.text.length()) {
            List<String> fields = csv.fields();
            if (fields.size() > 1 || !fields.getFirst().isEmpty()) {
                records.add(fields);
            }
        }
        return records;
    }

    private List<String> fields() {
        List<String> fields = new ArrayList<>();
        while (true) {
            fields.add(field());
            char end = at < text.length() ? text.charAt(at++) : '\n';
            if (end == '\r' && at < text.length() && text.charAt(at) == '\n') {
                at++;
            }
            if (end != ',') {
                return fields;
            }
        }
    }

    private String field() {
        StringBuilder field = new StringBuilder();
        boolean quoted = false;
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
                field.append(c);
            }
        }
        return field.toString();
    }
}
