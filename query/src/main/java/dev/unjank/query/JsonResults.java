package dev.unjank.query;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.io.SerializedString;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** {@link ResultWriter#json}. */
final class JsonResults implements ResultWriter {
    private static final JsonFactory JSON = new JsonFactory();

    private static final SerializedString BETWEEN_ROWS = new SerializedString(",\n");

    private final PrintWriter out;

    JsonResults(PrintWriter out) {
        this.out = out;
    }

    @Override
    public void write(Rows rows) throws QueryException {
        List<String> names = distinct(rows.columns());
        boolean any = false;
        out.print("[\n");
        try (JsonGenerator json = JSON.createGenerator(out)) {
            json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET).disable(JsonGenerator.Feature.FLUSH_PASSED_TO_STREAM);
            json.setRootValueSeparator(BETWEEN_ROWS);
            while (rows.next()) {
                json.writeStartObject();
                for (int i = 0; i < names.size(); i++) {
                    json.writeFieldName(names.get(i));
                    write(json, rows.get(i));
                }
                json.writeEndObject();
                any = true;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e); // never: a PrintWriter keeps its failures to itself
        }
        out.print(any ? "\n]\n" : "]\n");
    }

    private static void write(JsonGenerator json, @Nullable Object value) throws IOException {
        switch (value) {
            case null -> json.writeNull();
            case Long whole -> json.writeNumber(whole);
            case BigInteger whole -> json.writeNumber(whole);
            case Double real when Double.isFinite(real) -> json.writeNumber(real);
            case Double none ->
                json.writeString(CsvResults.decimal(none)); // JSON has no such number, and null would be no result
            case byte[] bytes -> json.writeString(HexFormat.of().formatHex(bytes));
            default -> json.writeString(value.toString());
        }
    }

    /** Names of an object's members: a name that comes again gets a number. */
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
