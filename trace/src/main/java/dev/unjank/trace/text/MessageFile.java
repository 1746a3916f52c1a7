package dev.unjank.trace.text;

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
import org.jspecify.annotations.Nullable;

/**
 * Sentences and labels by key, from a resource in UTF-8 in the format of {@link Properties}. A message contains its
 * arguments as {@code {0}} to {@code {9}}. Thread-safe.
 */
public final class MessageFile {
    private final Properties messages = new Properties();

    /**
     * Reads all messages, and closes the stream.
     *
     * @param resource the resource, opened by a class of its own module, since packages of other modules are closed
     * @param name its name, for the error if the stream is null
     */
    public MessageFile(@Nullable InputStream resource, String name) {
        if (resource == null) {
            throw new IllegalStateException("no resource " + name);
        }
        try (InputStreamReader in = new InputStreamReader(resource, StandardCharsets.UTF_8)) {
            messages.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@return a message} */
    public String of(String key, Object... arguments) {
        String template = messages.getProperty(key);
        if (template == null) {
            throw new IllegalArgumentException("no message " + key);
        }
        return arguments.length == 0 ? template : filled(template, arguments);
    }

    /**
     * By hand: the format of {@link java.text.MessageFormat} gives quotes a meaning, and takes longer to load than a
     * report to write.
     */
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
    public List<String> list(String key) {
        List<String> all = new ArrayList<>();
        for (int i = 1; ; i++) {
            String message = messages.getProperty(key + "." + i);
            if (message == null) {
                return all;
            }
            all.add(message);
        }
    }

    /** {@return the messages whose keys match a pattern, by key} */
    public SortedMap<String, String> matching(Pattern keys) {
        SortedMap<String, String> found = new TreeMap<>();
        for (String key : messages.stringPropertyNames()) {
            if (keys.matcher(key).matches()) {
                found.put(key, messages.getProperty(key));
            }
        }
        return found;
    }

    /** {@return whether there is a message with this key} */
    public boolean contains(String key) {
        return messages.containsKey(key);
    }
}
