package dev.unjank.query.resolve;

import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * What the engine says of a statement that it refused, in the words of the language: without its own names of types and errors,
 * and without SQL that nobody wrote.
 */
final class EngineMessages {
    /** What to tell of a failure, and what in a statement can have caused it, in lower case. */
    record Said(String message, Set<String> culprits) {}

    private record Rule(Pattern pattern, String message, Set<String> culprits) {}

    /** The first that is found says it; $1 is a group of the pattern. */
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
                    "the engine cannot do a query within the definition of a window"),
            rule("Failed to parse format specifier (\\S+):", "no such format of dates: $1", "strftime"),
            rule("Malformed JSON at byte (\\d+)", "this is no JSON, from byte $1 on", "json_extract", "->", "->>"),
            rule("Could not convert string '(.{0,40}?)' to ", "this is no number: '$1'"),
            rule(
                    "^((missing|unexpected|invalid|no argument|bad) .*: .*)",
                    "bad regular expression: $1",
                    "regexp",
                    "regexp_extract",
                    "regexp_replace_simple"));

    private static final Pattern ERROR_KIND = Pattern.compile("^([A-Z][A-Za-z]+ ){1,3}Error: ");

    /** From here on the engine explains itself with what it made of the statement. */
    private static final Pattern INNER = Pattern.compile(
            "; (Candidate|LINE|\\*|Did you mean)|You might need to add explicit|when casting from source column|CAST\\(");

    private EngineMessages() {}

    private static Rule rule(String pattern, String message, String... culprits) {
        return new Rule(Pattern.compile(pattern), message, Set.of(culprits));
    }

    /** In one line, without an end to its sentence. */
    static Said plain(String message) {
        String said = ERROR_KIND.matcher(message).replaceFirst("");
        for (Rule rule : RULES) {
            MatchResult found = rule.pattern.matcher(said).results().findFirst().orElse(null);
            if (found != null) {
                String told = found.groupCount() == 0 ? rule.message : rule.message.replace("$1", found.group(1));
                return new Said(told, rule.culprits);
            }
        }
        String outer = INNER.split(said, 2)[0].strip();
        boolean ended = outer.endsWith("!") || outer.endsWith(".");
        return new Said(ended ? outer.substring(0, outer.length() - 1) : outer, Set.of());
    }
}
