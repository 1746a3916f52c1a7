package dev.unjank.doctor.report;

import dev.unjank.trace.text.MessageFile;
import java.util.List;
import java.util.SortedMap;
import java.util.regex.Pattern;

/**
 * The message catalogue of all reports: the sentences and labels of {@code messages.properties} by key. A message
 * contains its arguments as {@code {0}} to {@code {9}}.
 */
public final class Messages {
    private static final MessageFile CATALOGUE =
            new MessageFile(Messages.class.getResourceAsStream("messages.properties"), "messages.properties");

    private Messages() {}

    /** {@return a message} */
    public static String of(String key, Object... arguments) {
        return CATALOGUE.of(key, arguments);
    }

    /** {@return the messages {@code key.1}, {@code key.2} and so on; empty if there is none} */
    static List<String> list(String key) {
        return CATALOGUE.list(key);
    }

    /** {@return a count with its noun: {@code 1 wait}, {@code 2 waits}} */
    public static String count(String noun, long count) {
        return of("count." + noun + (count == 1 ? ".one" : ".other"), count);
    }

    /** {@return a number of times: {@code once}, {@code twice}, {@code 3 times}} */
    public static String times(long count) {
        return of(count == 1 ? "count.once" : count == 2 ? "count.twice" : "count.times", count);
    }

    /** {@return some messages by key} */
    public static SortedMap<String, String> matching(Pattern keys) {
        return CATALOGUE.matching(keys);
    }

    /** {@return whether the catalogue contains a key} */
    static boolean contains(String key) {
        return CATALOGUE.contains(key);
    }
}
