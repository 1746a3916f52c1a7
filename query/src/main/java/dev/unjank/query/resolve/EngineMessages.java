package dev.unjank.query.resolve;

import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Rewrites DuckDB's error messages in terms of PerfettoSQL: without DuckDB's names of types and errors, and without
 * generated SQL.
 */
final class EngineMessages {
    /** An error message, and the functions and operators that may have caused it, in lower case. */
    record Rephrased(String message, Set<String> suspects) {}

    private record Rule(Pattern pattern, String message, Set<String> suspects) {}

    /** Rules; the first match applies. $1 is a group of the pattern. */
    private static final List<Rule> RULES = List.of(
            rule("Overflow in addition of", "integer overflow in an addition", "+"),
            rule("Overflow in subtraction of", "integer overflow in a subtraction", "-"),
            rule("Overflow in multiplication of", "integer overflow in a multiplication", "*"),
            rule(
                    "INT128.*out of range for the destination type INT64|SUM is out of range",
                    "integer overflow in a sum",
                    "sum"),
            rule("^Overflow", "integer overflow", "-", "abs", "/", "%"),
            rule(
                    "Type \\w+ with value (\\S+) can't be cast because the value is out of range",
                    "the number $1 is too large here"),
            rule(
                    "Cannot copy BoundSubquery|window functions are not allowed in window definitions",
                    "a query in the definition of a window is not supported"),
            rule("Failed to parse format specifier (\\S+):", "unknown date format: $1", "strftime"),
            rule("Malformed JSON at byte (\\d+)", "not valid JSON from byte $1", "json_extract", "->", "->>"),
            rule("Could not convert string '(.{0,40}?)' to ", "not a number: '$1'"),
            rule(
                    "^((missing|unexpected|invalid|no argument|bad) .*: .*)",
                    "bad regular expression: $1",
                    "regexp",
                    "regexp_extract",
                    "regexp_replace_simple"));

    private static final Pattern ERROR_KIND = Pattern.compile("^([A-Z][A-Za-z]+ ){1,3}Error: ");

    /** Start of explanations that refer to generated SQL. */
    private static final Pattern INNER = Pattern.compile(
            "; (Candidate|LINE|\\*|Did you mean)|You might need to add explicit|when casting from source"
                    + " column|CAST\\(");

    private EngineMessages() {}

    private static Rule rule(String pattern, String message, String... culprits) {
        return new Rule(Pattern.compile(pattern), message, Set.of(culprits));
    }

    /** Rewrites a message; the result is one line without a final period. */
    static Rephrased rephrase(String message) {
        String engineMessage = ERROR_KIND.matcher(message).replaceFirst("");
        for (Rule rule : RULES) {
            MatchResult found =
                    rule.pattern.matcher(engineMessage).results().findFirst().orElse(null);
            if (found != null) {
                String text = found.groupCount() == 0 ? rule.message : rule.message.replace("$1", found.group(1));
                return new Rephrased(text, rule.suspects);
            }
        }
        String outer = INNER.split(engineMessage, 2)[0].strip();
        boolean ended = outer.endsWith("!") || outer.endsWith(".");
        return new Rephrased(ended ? outer.substring(0, outer.length() - 1) : outer, Set.of());
    }
}
