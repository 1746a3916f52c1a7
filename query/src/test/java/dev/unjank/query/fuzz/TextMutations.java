package dev.unjank.query.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.unjank.fixture.ArbitraryNames;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Changes to lines of a text, and to numbers and names in them. */
final class TextMutations {
    private static final Pattern NUMBER = Pattern.compile("[0-9]+");
    private static final Pattern WORD = Pattern.compile("[^ =:|\\[\\](),]+");

    private final Random random;
    private final List<String> names;

    TextMutations(Random random, List<String> names) {
        this.random = random;
        this.names = names;
    }

    byte[] changed(byte[] bytes) {
        if (random.nextInt(5) == 0) {
            return ByteMutations.changed(random, bytes);
        }
        List<String> lines = new ArrayList<>(Arrays.asList(new String(bytes, ISO_8859_1).split("\n", -1)));
        int at = random.nextInt(lines.size());
        int other = random.nextInt(lines.size());
        String line = lines.get(at);
        switch (random.nextInt(9)) {
            case 0 -> lines.remove(at);
            case 1 -> lines.add(at, lines.get(other));
            case 2 -> {
                lines.set(at, lines.get(other));
                lines.set(other, line);
            }
            case 3 -> lines.set(at, line.substring(0, random.nextInt(line.length() + 1)));
            case 4 -> lines.set(at, latin(ArbitraryNames.damaged(random, names)));
            case 5 -> lines.set(at, latin(ArbitraryNames.damaged(random, List.of(line, lines.get(other)))));
            case 6, 7 -> lines.set(at, replaced(line, NUMBER, Long.toString(ByteMutations.number(random, 120))));
            default -> lines.set(at, replaced(line, WORD, latin(ArbitraryNames.damaged(random, names))));
        }
        return String.join("\n", lines).getBytes(ISO_8859_1);
    }

    /** The bytes of a string, as characters. */
    private static String latin(String text) {
        return new String(ByteMutations.of(text), ISO_8859_1);
    }

    private String replaced(String line, Pattern pattern, String by) {
        List<MatchResult> found = pattern.matcher(line).results().toList();
        if (found.isEmpty()) {
            return line + by;
        }
        MatchResult one = found.get(random.nextInt(found.size()));
        return line.substring(0, one.start()) + by + line.substring(one.end());
    }
}
