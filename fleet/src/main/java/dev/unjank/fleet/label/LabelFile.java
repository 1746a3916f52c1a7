package dev.unjank.fleet.label;

import dev.unjank.trace.model.UnusableTraceException;
import java.io.IOException;
import java.io.Serializable;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Labels of traces from a file: CSV with a header, or JSON objects, in an array or one per line. Column {@code file} is
 * the path of a trace, or the end of that path. {@code device}, {@code os_build}, {@code app} and {@code app_version}
 * override the trace's own labels. Other columns are ignored.
 *
 * @param byFile the labels by column {@code file}
 */
public record LabelFile(Map<String, TraceLabels> byFile) implements Serializable {
    private static final long serialVersionUID = 1;

    /** No labels. */
    public static final LabelFile EMPTY = new LabelFile(Map.of());

    private static final String FILE = "file";

    /** A part of Jackson's messages that has no useful position. */
    private static final Pattern WHERE = Pattern.compile(" \\(start marker at .*\\)");

    public LabelFile {
        byFile = Map.copyOf(byFile);
    }

    /** Reads a file: JSON if its name ends in {@code .json} or {@code .jsonl}, otherwise CSV. */
    public static LabelFile read(Path file) throws IOException {
        if (Files.isDirectory(file)) {
            throw new UnusableTraceException(file + ": is a folder; give a CSV or JSON file");
        }
        String name = file.toString().toLowerCase(Locale.ROOT);
        Map<String, TraceLabels> labels = new HashMap<>();
        if (name.endsWith(".json") || name.endsWith(".jsonl")) {
            readJson(file, labels);
        } else {
            readCsv(file, labels);
        }
        if (labels.isEmpty()) {
            throw new UnusableTraceException(
                    file + ": the column " + FILE + " is missing or empty; add the names of the traces in it");
        }
        if (labels.values().stream().allMatch(TraceLabels.NONE::equals)) {
            throw new UnusableTraceException(
                    file + ": has no labels; add columns named device, os_build, app or app_version");
        }
        return new LabelFile(labels);
    }

    public boolean knows(String trace) {
        return !of(trace).equals(TraceLabels.NONE);
    }

    /** The labels of a trace, by the longest match of its name. */
    public TraceLabels of(String trace) {
        String name = trace;
        while (true) {
            TraceLabels known = byFile.get(name);
            int slash = name.indexOf('/');
            if (known != null || slash < 0) {
                return known == null ? TraceLabels.NONE : known;
            }
            name = name.substring(slash + 1);
        }
    }

    private static void add(Map<String, String> values, Map<String, TraceLabels> labels) {
        String file = values.get(FILE);
        if (file != null && !file.isEmpty()) {
            labels.put(
                    file,
                    new TraceLabels(
                            values.get("device"),
                            values.get("os_build"),
                            values.get("app"),
                            values.get("app_version")));
        }
    }

    private static void readCsv(Path file, Map<String, TraceLabels> labels) throws IOException {
        List<CsvReader.Row> rows = rows(file);
        for (CsvReader.Row row : rows.subList(Math.min(1, rows.size()), rows.size())) {
            List<String> columns = rows.getFirst().fields();
            if (row.fields().size() > columns.size()) {
                throw new UnusableTraceException(
                        "%s: line %d has %d values for %d columns; quote values that contain a comma"
                                .formatted(file, row.line(), row.fields().size(), columns.size()));
            }
            Map<String, String> values = new HashMap<>();
            for (int i = 0; i < row.fields().size(); i++) {
                if (!row.fields().get(i).isEmpty()) {
                    values.put(
                            columns.get(i).strip().toLowerCase(Locale.ROOT),
                            row.fields().get(i));
                }
            }
            add(values, labels);
        }
    }

    private static List<CsvReader.Row> rows(Path file) throws IOException {
        String text;
        try {
            text = Files.readString(file);
        } catch (CharacterCodingException e) {
            throw new UnusableTraceException(file + ": not UTF-8 text", e);
        }
        try {
            return CsvReader.parse(text);
        } catch (IOException e) {
            throw new UnusableTraceException(file + ": " + e.getMessage(), e);
        }
    }

    private static void readJson(Path file, Map<String, TraceLabels> labels) throws IOException {
        try (JsonParser json = new JsonFactory().createParser(ObjectReadContext.empty(), file.toFile())) {
            Map<String, String> values = new HashMap<>();
            int depth = 0;
            for (JsonToken token = json.nextToken(); token != null; token = json.nextToken()) {
                switch (token) {
                    case START_OBJECT -> depth++;
                    case END_OBJECT -> {
                        if (--depth == 0) {
                            add(values, labels);
                            values.clear();
                        }
                    }
                    case VALUE_STRING, VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> {
                        if (depth == 1) {
                            values.putIfAbsent(String.valueOf(json.currentName()), json.getString());
                        }
                    }
                    default -> {}
                }
            }
        } catch (JacksonException e) {
            throw new UnusableTraceException(
                    file + ": is not JSON: "
                            + WHERE.matcher(e.getOriginalMessage()).replaceAll("") + ", line "
                            + e.getLocation().getLineNr(),
                    e);
        }
    }
}
