package dev.unjank.query.conformance;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;

/**
 * A table in trace processor's CSV: a header and rows of fields.
 *
 * @param columns the names of the columns
 * @param rows the fields of each row; NULL is "[NULL]"
 */
record ExpectedTable(List<String> columns, List<List<String>> rows) {
    static ExpectedTable read(Path gzipped) throws IOException {
        try (BufferedReader in = new BufferedReader(
                new InputStreamReader(new GZIPInputStream(Files.newInputStream(gzipped)), StandardCharsets.UTF_8))) {
            return read(in);
        }
    }

    static ExpectedTable of(String csv) throws IOException {
        return read(new BufferedReader(new StringReader(csv)));
    }

    private static ExpectedTable read(BufferedReader in) throws IOException {
        String text = in.readAllAsString().replace("\"\"", "\"");
        List<List<String>> records = new ArrayList<>();
        List<String> fields = new ArrayList<>();
        int at = 0;
        while (at < text.length()) {
            int end = text.charAt(at) == '"' ? endOfQuoted(text, at) : endOfPlain(text, at);
            String field = text.substring(at, end);
            fields.add(field.startsWith("\"") ? field.substring(1, Math.max(1, field.length() - 1)) : field);
            if (end >= text.length() || text.charAt(end) == '\n') {
                records.add(fields);
                fields = new ArrayList<>();
            }
            at = end + 1;
        }
        return records.isEmpty()
                ? new ExpectedTable(List.of(), List.of())
                : new ExpectedTable(records.getFirst(), records.subList(1, records.size()));
    }

    private static int endOfPlain(String text, int from) {
        int end = from;
        while (end < text.length() && text.charAt(end) != ',' && text.charAt(end) != '\n') {
            end++;
        }
        return end;
    }

    /** The end of a quoted field: quotes within it are not escaped, so it is the first quote before a separator. */
    private static int endOfQuoted(String text, int from) {
        int end = from + 1;
        while (true) {
            int quote = text.indexOf('"', end);
            if (quote < 0) {
                return text.length();
            }
            end = quote + 1;
            if (end == text.length() || text.charAt(end) == ',' || text.charAt(end) == '\n') {
                return end;
            }
        }
    }
}
