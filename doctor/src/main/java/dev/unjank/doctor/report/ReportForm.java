package dev.unjank.doctor.report;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A finding as a form, which every report shows: a summary and labelled fields.
 *
 * @param summary at most two lines, each a sentence without its full stop
 * @param fields the facts, in the order in which to read them
 */
public record ReportForm(List<String> summary, List<Field> fields) {
    /** Keeps its own copies. */
    public ReportForm {
        summary = List.copyOf(summary);
        fields = List.copyOf(fields);
    }

    /**
     * One fact.
     *
     * @param label what it is of, such as {@code Owner}
     * @param value the fact, without a full stop
     */
    public record Field(String label, String value) {}

    /** {@return the form in one line: {@code Root cause of jank: lock convoy, #1. Waiter: main, … Owner: …}} */
    public String inOneLine() {
        return Stream.concat(summary.stream(), fields.stream().map(field -> field.label() + ": " + field.value()))
                .map(sentence -> sentence + ".")
                .collect(Collectors.joining(" "));
    }
}
