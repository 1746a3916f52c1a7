package dev.unjank.query.front;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * What the engine says of a statement that it refused, in the words of the language: without its own names of types and errors,
 * and without SQL that nobody wrote.
 */
final class EngineMessages {
    private record Rule(Pattern pattern, String message) {}

    /** The first that is found says it; $1 and so on are groups of the pattern. */
    private static final List<Rule> RULES = List.of(
            rule("Overflow in (addition|subtraction|multiplication) of", "integer overflow in an $1"),
            rule(
                    "^Overflow|INT128.*out of range for the destination type INT64|SUM is out of range",
                    "integer overflow"),
            rule(
                    "Type \\w+ with value (\\S+) can't be cast because the value is out of range",
                    "the number $1 is too large here"),
            rule("Failed to parse format specifier (\\S+):", "no such format of dates: $1"),
            rule("Could not convert string '(.{0,40}?)' to ", "this is no number: '$1'"),
            rule("^((missing|unexpected|invalid|no argument|bad) .*: .*)", "bad regular expression: $1"));

    private static final Pattern ERROR_KIND = Pattern.compile("^([A-Z][A-Za-z]+ ){1,3}Error: ");

    /** From here on the engine explains itself with what it made of the statement. */
    private static final Pattern INNER = Pattern.compile(
            "; (Candidate|LINE|\\*|Did you mean)|You might need to add explicit|when casting from source column|CAST\\(");

    private EngineMessages() {}

    private static Rule rule(String pattern, String message) {
        return new Rule(Pattern.compile(pattern), message);
    }

    /** In one line, without an end to its sentence. */
    static String plain(String message) {
        String said = ERROR_KIND.matcher(message).replaceFirst("");
        for (Rule rule : RULES) {
            MatchResult found = rule.pattern.matcher(said).results().findFirst().orElse(null);
            if (found != null) {
                return found.groupCount() == 0 ? rule.message : rule.message.replace("$1", found.group(1));
            }
        }
        String outer = INNER.split(said, 2)[0].strip();
        return outer.endsWith("!") || outer.endsWith(".") ? outer.substring(0, outer.length() - 1) : outer;
    }
}
