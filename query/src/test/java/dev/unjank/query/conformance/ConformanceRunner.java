package dev.unjank.query.conformance;

import dev.unjank.query.QueryTestSession;
import dev.unjank.query.result.QueryException;
import dev.unjank.query.result.Rows;
import dev.unjank.trace.read.TraceReader;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Runs conformance cases and reports for each whether it passes, gives other rows or ends in an error.
 *
 * <p>Output is compared as trace processor prints it: real numbers with six digits, NULL as [NULL]. The order of rows
 * counts only if the question has ORDER BY; then rows in another order are reported as such, because rows with equal
 * keys may change places.
 */
final class ConformanceRunner {
    enum Outcome {
        PASS,
        DIFFERS,
        ERROR
    }

    /** The outcome of a case, and the reason if it is not a plain pass. */
    record Result(ConformanceCase test, Outcome outcome, String reason) {}

    private ConformanceRunner() {}

    static Result run(ConformanceCase test) {
        try {
            return compare(test, output(test));
        } catch (QueryException | IOException | RuntimeException e) {
            return new Result(test, Outcome.ERROR, String.valueOf(e.getMessage()));
        }
    }

    private static List<String> output(ConformanceCase test) throws IOException, QueryException {
        List<String> output = new ArrayList<>();
        try (QueryTestSession session = Files.isRegularFile(test.trace())
                ? QueryTestSession.of(TraceReader.read(test.trace()))
                : QueryTestSession.empty()) {
            session.run(test.question(), rows -> {
                if (!output.isEmpty()) {
                    output.add("");
                }
                write(rows, output);
            });
        }
        return output;
    }

    private static void write(Rows rows, List<String> output) throws QueryException {
        List<Rows.Column> columns = rows.columns();
        output.add(columns.stream().map(column -> quoted(column.name())).collect(Collectors.joining(",")));
        while (rows.next()) {
            List<String> fields = new ArrayList<>();
            for (int i = 0; i < columns.size(); i++) {
                fields.add(field(rows.get(i)));
            }
            output.addAll(String.join(",", fields).lines().toList());
        }
    }

    private static String field(Object value) {
        return switch (value) {
            case null -> "\"[NULL]\"";
            case Double number -> String.format(Locale.ROOT, "%.6f", number);
            case Number number -> number.toString();
            default -> quoted(value.toString());
        };
    }

    private static String quoted(String text) {
        return '"' + text + '"';
    }

    private static Result compare(ConformanceCase test, List<String> output) {
        List<String> expected = test.expected();
        if (output.equals(expected)) {
            return new Result(test, Outcome.PASS, "");
        }
        if (sorted(output).equals(sorted(expected))) {
            boolean ordered = test.question().toUpperCase(Locale.ROOT).contains("ORDER BY");
            return new Result(test, Outcome.PASS, ordered ? "rows in another order" : "");
        }
        return new Result(test, Outcome.DIFFERS, difference(expected, output));
    }

    private static List<String> sorted(List<String> lines) {
        return lines.stream().sorted().toList();
    }

    /** The first expected line that is missing, and the first one too many. */
    private static String difference(List<String> expected, List<String> output) {
        List<String> missing = new ArrayList<>(expected);
        List<String> extra = new ArrayList<>(output);
        output.forEach(missing::remove);
        expected.forEach(extra::remove);
        return "missing " + missing.size() + first(missing) + ", too many " + extra.size() + first(extra);
    }

    private static String first(List<String> lines) {
        return lines.isEmpty() ? "" : " (" + lines.getFirst() + ")";
    }

    /** A table of areas, and a line for each case that does not pass. */
    static String report(Collection<Result> results) {
        Map<String, List<Result>> areas = results.stream()
                .collect(Collectors.groupingBy(result -> result.test().area(), TreeMap::new, Collectors.toList()));
        StringBuilder report = new StringBuilder("| area | cases | pass | differs | error |\n|---|--:|--:|--:|--:|\n");
        areas.forEach((area, list) -> report.append(line(area, list)));
        report.append(line("all", results)).append('\n');
        for (Result result : results) {
            if (!result.reason().isEmpty()) {
                report.append(result.outcome() + " " + result.test().name() + ": " + result.reason() + "\n");
            }
        }
        return report.toString();
    }

    private static String line(String area, Collection<Result> results) {
        Map<Outcome, Long> counts =
                results.stream().collect(Collectors.groupingBy(Result::outcome, Collectors.counting()));
        Function<Outcome, Long> count = outcome -> counts.getOrDefault(outcome, 0L);
        return "| " + area + " | " + results.size() + " | " + count.apply(Outcome.PASS) + " | "
                + count.apply(Outcome.DIFFERS) + " | " + count.apply(Outcome.ERROR) + " |\n";
    }
}
