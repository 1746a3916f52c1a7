package dev.unjank.query.conformance;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
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
            return parse(in.readAllAsString(), ExpectedTable::endOfQuoted);
        }
    }

    static ExpectedTable of(String csv) {
        return parse(csv, ExpectedTable::endOfEscaped);
    }

    /** Finds the end of a quoted field. */
    private interface EndOfField {
        int of(String text, int from);
    }

    private static ExpectedTable parse(String text, EndOfField quotedEnd) {
        List<List<String>> records = new ArrayList<>();
        List<String> fields = new ArrayList<>();
        int at = 0;
        while (at < text.length()) {
            int end = text.charAt(at) == '"' ? quotedEnd.of(text, at) : endOfPlain(text, at);
            String field = text.substring(at, end);
            fields.add(field.replace("\"", ""));
            if (end >= text.length() || text.charAt(end) == '\n') {
                records.add(fields);
                fields = new ArrayList<>();
            }
            at = end + 1;
        }
        return records.isEmpty()
                ? new ExpectedTable(List.of(), List.of())
                : new ExpectedTable(records.getFirst(), new ArrayList<>(records.subList(1, records.size())));
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

    /** The end of a quoted field in which quotes are doubled. */
    private static int endOfEscaped(String text, int from) {
        int end = from + 1;
        while (text.charAt(end) != '"' || (end + 1 < text.length() && text.charAt(end + 1) == '"')) {
            end += text.charAt(end) == '"' ? 2 : 1;
        }
        return end + 1;
    }
}
