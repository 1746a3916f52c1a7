package dev.unjank.fleet;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import dev.unjank.trace.UnusableTraceException;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What a file beside the traces says of them: CSV with a heading, or JSON objects, in an array or one after another. {@code file} says
 * which trace is meant, by its whole name or its last part; {@code device}, {@code os_build}, {@code app} and {@code app_version} go
 * before what the trace says itself. Anything else in it is left alone.
 *
 * @param byFile the labels, by what the file calls the trace
 */
public record LabelBook(Map<String, Labels> byFile) implements Serializable {
    private static final long serialVersionUID = 1;

    /** Nothing is known but what traces say. */
    public static final LabelBook EMPTY = new LabelBook(Map.of());

    private static final String FILE = "file";

    /** Keeps its own copy. */
    public LabelBook {
        byFile = Map.copyOf(byFile);
    }

    /**
     * Reads such a file.
     *
     * @param file CSV, or JSON if its name ends so
     * @return what it says
     * @throws IOException if it cannot be read, or is neither
     */
    public static LabelBook read(Path file) throws IOException {
        String name = file.toString().toLowerCase(Locale.ROOT);
        Map<String, Labels> labels = new HashMap<>();
        if (name.endsWith(".json") || name.endsWith(".jsonl")) {
            readJson(file, labels);
        } else {
            readCsv(file, labels);
        }
        if (labels.isEmpty()) {
            throw new UnusableTraceException(file + ": labels no trace; it needs a column named " + FILE);
        }
        return new LabelBook(labels);
    }

    /** The labels of a trace, those of its last name if its whole name has none. */
    Labels of(String trace) {
        Labels known = byFile.get(trace);
        if (known != null) {
            return known;
        }
        String lastName = trace.substring(trace.lastIndexOf('/') + 1);
        return byFile.getOrDefault(lastName, Labels.NONE);
    }

    private static void add(Map<String, String> said, Map<String, Labels> labels) {
        String file = said.get(FILE);
        if (file != null && !file.isEmpty()) {
            labels.put(
                    file,
                    new Labels(said.get("device"), said.get("os_build"), said.get("app"), said.get("app_version")));
        }
    }

    private static void readCsv(Path file, Map<String, Labels> labels) throws IOException {
        List<List<String>> rows = Csv.parse(Files.readString(file));
        for (List<String> row : rows.subList(Math.min(1, rows.size()), rows.size())) {
            Map<String, String> said = new HashMap<>();
            for (int i = 0; i < Math.min(row.size(), rows.getFirst().size()); i++) {
                if (!row.get(i).isEmpty()) {
                    said.put(rows.getFirst().get(i).strip().toLowerCase(Locale.ROOT), row.get(i));
                }
            }
            add(said, labels);
        }
    }

    private static void readJson(Path file, Map<String, Labels> labels) throws IOException {
        try (JsonParser json = new JsonFactory().createParser(file.toFile())) {
            Map<String, String> said = new HashMap<>();
            int depth = 0;
            for (JsonToken token = json.nextToken(); token != null; token = json.nextToken()) {
                switch (token) {
                    case START_OBJECT -> depth++;
                    case END_OBJECT -> {
                        if (--depth == 0) {
                            add(said, labels);
                            said.clear();
                        }
                    }
                    case VALUE_STRING, VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> {
                        if (depth == 1) {
                            said.putIfAbsent(String.valueOf(json.currentName()), json.getText());
                        }
                    }
                    default -> {}
                }
            }
        } catch (JsonProcessingException e) {
            throw new UnusableTraceException(
                    file + ": is not JSON: " + e.getOriginalMessage() + ", line "
                            + e.getLocation().getLineNr(),
                    e);
        }
    }
}
