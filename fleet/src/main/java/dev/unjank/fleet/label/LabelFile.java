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
 * What a file beside the traces says of them: CSV with a heading, or JSON objects, in an array or one after another. {@code file} says
 * which trace is meant, by its whole name or as many of its last parts as it takes; {@code device}, {@code os_build}, {@code app} and
 * {@code app_version} go before what the trace says itself. Anything else in it is left alone.
 *
 * @param byFile the labels, by what the file calls the trace
 */
public record LabelFile(Map<String, TraceLabels> byFile) implements Serializable {
    private static final long serialVersionUID = 1;

    /** Nothing is known but what traces say. */
    public static final LabelFile EMPTY = new LabelFile(Map.of());

    private static final String FILE = "file";

    /** What the parser says of where something began, which is of no use to a reader. */
    private static final Pattern WHERE = Pattern.compile(" \\(start marker at .*\\)");

    /** Keeps its own copy. */
    public LabelFile {
        byFile = Map.copyOf(byFile);
    }

    /**
     * Reads such a file.
     *
     * @param file CSV, or JSON if its name ends so
     * @return what it says
     * @throws IOException if it cannot be read, or is neither
     */
    public static LabelFile read(Path file) throws IOException {
        if (Files.isDirectory(file)) {
            throw new UnusableTraceException(file + ": is a folder");
        }
        String name = file.toString().toLowerCase(Locale.ROOT);
        Map<String, TraceLabels> labels = new HashMap<>();
        if (name.endsWith(".json") || name.endsWith(".jsonl")) {
            readJson(file, labels);
        } else {
            readCsv(file, labels);
        }
        if (labels.isEmpty()) {
            throw new UnusableTraceException(file + ": labels no trace; it needs a column named " + FILE);
        }
        if (labels.values().stream().allMatch(TraceLabels.NONE::equals)) {
            throw new UnusableTraceException(
                    file + ": says nothing of any trace; it needs columns named device, os_build, app or app_version");
        }
        return new LabelFile(labels);
    }

    /** Whether it says anything of a trace. */
    public boolean knows(String trace) {
        return !of(trace).equals(TraceLabels.NONE);
    }

    /** The labels of a trace: those of as much of its name as has any. */
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

    private static void add(Map<String, String> said, Map<String, TraceLabels> labels) {
        String file = said.get(FILE);
        if (file != null && !file.isEmpty()) {
            labels.put(
                    file,
                    new TraceLabels(
                            said.get("device"), said.get("os_build"), said.get("app"), said.get("app_version")));
        }
    }

    private static void readCsv(Path file, Map<String, TraceLabels> labels) throws IOException {
        List<CsvReader.Row> rows = rows(file);
        for (CsvReader.Row row : rows.subList(Math.min(1, rows.size()), rows.size())) {
            List<String> columns = rows.getFirst().fields();
            if (row.fields().size() > columns.size()) {
                throw new UnusableTraceException(
                        "%s: line %d has %d values for %d columns; what has a comma in it must be in quotes"
                                .formatted(file, row.line(), row.fields().size(), columns.size()));
            }
            Map<String, String> said = new HashMap<>();
            for (int i = 0; i < row.fields().size(); i++) {
                if (!row.fields().get(i).isEmpty()) {
                    said.put(
                            columns.get(i).strip().toLowerCase(Locale.ROOT),
                            row.fields().get(i));
                }
            }
            add(said, labels);
        }
    }

    private static List<CsvReader.Row> rows(Path file) throws IOException {
        String text;
        try {
            text = Files.readString(file);
        } catch (CharacterCodingException e) {
            throw new UnusableTraceException(file + ": is no text in UTF-8", e);
        }
        try {
            return CsvReader.parse(text);
        } catch (IOException e) {
            throw new UnusableTraceException(file + ": " + e.getMessage(), e);
        }
    }

    private static void readJson(Path file, Map<String, TraceLabels> labels) throws IOException {
        try (JsonParser json = new JsonFactory().createParser(ObjectReadContext.empty(), file.toFile())) {
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
                            said.putIfAbsent(String.valueOf(json.currentName()), json.getString());
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
