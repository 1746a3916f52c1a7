package dev.unjank.doctor.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The message catalogue of all reports: the sentences and labels of {@code messages.properties} by key. A message contains its
 * arguments as {@code {0}} to {@code {9}}.
 */
public final class Messages {
    private static final Properties CATALOGUE = load();

    private Messages() {}

    /** {@return a message} */
    public static String of(String key, Object... arguments) {
        String template = CATALOGUE.getProperty(key);
        if (template == null) {
            throw new IllegalArgumentException("no message " + key);
        }
        return arguments.length == 0 ? template : filled(template, arguments);
    }

    /** By hand: the format of {@link java.text.MessageFormat} gives quotes a meaning, and takes longer to load than a report to write. */
    private static String filled(String template, Object... arguments) {
        StringBuilder text = new StringBuilder();
        int from = 0;
        for (int open = template.indexOf('{'); open >= 0; open = template.indexOf('{', from)) {
            text.append(template, from, open).append(arguments[template.charAt(open + 1) - '0']);
            from = open + 3;
        }
        return text.append(template, from, template.length()).toString();
    }

    /** {@return the messages {@code key.1}, {@code key.2} and so on; empty if there is none} */
    static List<String> list(String key) {
        List<String> all = new ArrayList<>();
        for (int i = 1; ; i++) {
            String message = CATALOGUE.getProperty(key + "." + i);
            if (message == null) {
                return all;
            }
            all.add(message);
        }
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
        SortedMap<String, String> messages = new TreeMap<>();
        for (String key : CATALOGUE.stringPropertyNames()) {
            if (keys.matcher(key).matches()) {
                messages.put(key, CATALOGUE.getProperty(key));
            }
        }
        return messages;
    }

    /** {@return whether the catalogue contains a key} */
    static boolean contains(String key) {
        return CATALOGUE.containsKey(key);
    }

    private static Properties load() {
        Properties catalogue = new Properties();
        try (InputStream in = Messages.class.getResourceAsStream("messages.properties")) {
            if (in == null) {
                throw new IllegalStateException("no resource messages.properties");
            }
            catalogue.load(new InputStreamReader(in, StandardCharsets.UTF_8));
            return catalogue;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
