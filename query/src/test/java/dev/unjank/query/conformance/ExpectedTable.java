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
        List<List<String>> records = new ArrayList<>();
        List<String> fields = new ArrayList<>();
        StringBuilder field = new StringBuilder();
        boolean quoted = false;
        for (int c = in.read(); c >= 0; c = in.read()) {
            if (c == '"') {
                quoted = !quoted;
            } else if (c == ',' && !quoted) {
                fields.add(field.toString());
                field.setLength(0);
            } else if (c == '\n' && !quoted) {
                fields.add(field.toString());
                field.setLength(0);
                records.add(fields);
                fields = new ArrayList<>();
            } else {
                field.append((char) c);
            }
        }
        return records.isEmpty()
                ? new ExpectedTable(List.of(), List.of())
                : new ExpectedTable(records.getFirst(), records.subList(1, records.size()));
    }
}
