package dev.unjank.query.parse;

import dev.unjank.query.source.PerfettoSqlException;
import dev.unjank.query.source.SourceText;
import dev.unjank.query.source.Token;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Statements of earlier versions of PerfettoSQL, written as calls in a SELECT: {@code SELECT CREATE_FUNCTION('f(x
 * INT)', 'INT', 'SELECT $x')}. They are replaced by the statements of today, and have no result.
 */
public final class LegacyCalls {
    /** The replacement of a metric, by the start of its name. */
    private static final Map<String, String> INSTEAD = Map.of(
            "android/android_startup", "android.startup.startups",
            "android/android_binder", "android.binder",
            "android/android_monitor", "android.monitor_contention",
            "android/android_anr", "android.anrs",
            "android/android_cpu", "linux.cpu.utilization.system",
            "android/android_frame", "android.frames.timeline",
            "android/jank", "android.frames.timeline",
            "android/process_metadata", "android.process_metadata");

    private LegacyCalls() {}

    /** The statement that a call stands for; the given tokens if it is no such call. */
    public static List<Token> replace(List<Token> tokens) {
        boolean call = tokens.size() > 4
                && tokens.getFirst().isWord("SELECT")
                && tokens.get(1).kind() == Token.Kind.WORD
                && tokens.get(2).isSymbol("(")
                && tokens.get(tokens.size() - 2).isSymbol(")");
        if (!call) {
            return tokens;
        }
        Token name = tokens.get(1);
        List<Token> inside = tokens.subList(3, tokens.size() - 2);
        boolean strings = IntStream.range(0, inside.size())
                .allMatch(i -> i % 2 == 0
                        ? inside.get(i).kind() == Token.Kind.STRING
                        : inside.get(i).isSymbol(","));
        if (!strings) {
            return tokens;
        }
        List<String> arguments = IntStream.range(0, inside.size())
                .filter(i -> i % 2 == 0)
                .mapToObj(i -> inside.get(i).text())
                .toList();
        return switch (name.text().toLowerCase(Locale.ROOT) + "/" + arguments.size()) {
            case "create_function/3" ->
                statement(
                        name,
                        "CREATE OR REPLACE PERFETTO FUNCTION " + arguments.get(0) + " RETURNS " + arguments.get(1)
                                + " AS " + arguments.get(2));
            case "create_view_function/3" ->
                statement(
                        name,
                        "CREATE OR REPLACE PERFETTO FUNCTION " + arguments.get(0) + " RETURNS TABLE(" + arguments.get(1)
                                + ") AS " + arguments.get(2));
            case "import/1" -> statement(name, "INCLUDE PERFETTO MODULE " + arguments.getFirst());
            // results need not be stored; the prelude is always included
            case "experimental_memoize/1" -> statement(name, "INCLUDE PERFETTO MODULE prelude");
            case "run_metric/1" -> throw PerfettoSqlException.at(name, noMetric(arguments.getFirst()));
            default -> tokens;
        };
    }

    private static String noMetric(String metric) {
        return "metrics are not supported: "
                + INSTEAD.entrySet().stream()
                        .filter(entry -> metric.startsWith(entry.getKey()))
                        .map(entry -> "use INCLUDE PERFETTO MODULE " + entry.getValue())
                        .findFirst()
                        .orElse("use the modules of the standard library");
    }

    private static List<Token> statement(Token call, String text) {
        return Lexer.statements(new SourceText(call.text(), text)).getFirst().stream()
                .map(token -> token.withCallSite(call))
                .toList();
    }
}
