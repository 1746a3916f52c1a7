package dev.unjank.query.result;

import java.io.PrintWriter;
import java.math.BigInteger;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.json.JsonFactory;

/** Writer for {@link ResultWriter#json}. */
final class JsonResultWriter implements ResultWriter {
    private static final JsonFactory JSON = JsonFactory.builder()
            .disable(StreamWriteFeature.AUTO_CLOSE_TARGET, StreamWriteFeature.FLUSH_PASSED_TO_STREAM)
            .rootValueSeparator(",\n")
            .build();

    private final PrintWriter out;

    JsonResultWriter(PrintWriter out) {
        this.out = out;
    }

    @Override
    public void write(Rows rows) throws QueryException {
        List<String> names = distinct(rows.columns());
        boolean any = false;
        out.print("[\n");
        try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), out)) {
            while (rows.next()) {
                json.writeStartObject();
                for (int i = 0; i < names.size(); i++) {
                    json.writeName(names.get(i));
                    write(json, rows.get(i));
                }
                json.writeEndObject();
                any = true;
            }
        }
        out.print(any ? "\n]\n" : "]\n");
    }

    private static void write(JsonGenerator json, @Nullable Object value) {
        switch (value) {
            case null -> json.writeNull();
            case Long whole -> json.writeNumber(whole);
            case BigInteger whole -> json.writeNumber(whole);
            case Double real when Double.isFinite(real) -> json.writeNumber(real);
            case Double none ->
                json.writeString(
                        CsvResultWriter.decimal(none)); // JSON has no NaN and no infinity, and null would mean NULL
            case byte[] bytes -> json.writeString(HexFormat.of().formatHex(bytes));
            default -> json.writeString(value.toString());
        }
    }

    /** Unique names for the members of an object: duplicates get a number. */
    private static List<String> distinct(List<Rows.Column> columns) {
        Set<String> taken = new HashSet<>();
        return columns.stream()
                .map(column -> {
                    String name = column.name();
                    for (int i = 2; !taken.add(name); i++) {
                        name = column.name() + "_" + i;
                    }
                    return name;
                })
                .toList();
    }
}
