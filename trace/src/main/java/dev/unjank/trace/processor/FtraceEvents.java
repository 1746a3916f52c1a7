package dev.unjank.trace.processor;

import dev.unjank.trace.processor.ArgSets.Type;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Names of the kernel's events and their fields, from a resource: each line is an event's number, name and fields. */
final class FtraceEvents {
    /** A field's name and type, which is INT, UINT, STRING, or POINTER for the address of a kernel function. */
    record Field(String name, Type type) {}

    /** An event; fields by number. */
    record Event(String name, Map<Integer, Field> fields) {}

    private static final Map<Integer, Event> EVENTS = read();

    private FtraceEvents() {}

    static @Nullable Event of(int number) {
        return EVENTS.get(number);
    }

    private static Map<Integer, Event> read() {
        Map<Integer, Event> events = new HashMap<>();
        try (InputStream in = FtraceEvents.class.getResourceAsStream("ftrace-events.txt")) {
            if (in == null) {
                throw new IllegalStateException("ftrace-events.txt is missing");
            }
            for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                    .toList()) {
                List<String> words = List.of(line.split(" "));
                Map<Integer, Field> fields = new HashMap<>();
                int number = 0;
                for (String word : words.subList(2, words.size())) {
                    String[] parts = word.split(":");
                    number = parts.length > 2 ? Integer.parseInt(parts[2]) : number + 1;
                    fields.put(number, new Field(parts[0], type(parts[1])));
                }
                events.put(Integer.parseInt(words.get(0)), new Event(words.get(1), fields));
            }
            return Map.copyOf(events);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Type type(String letter) {
        return switch (letter) {
            case "i" -> Type.INT;
            case "u" -> Type.UINT;
            case "s" -> Type.STRING;
            case "f" -> Type.POINTER;
            default -> throw new IllegalArgumentException(letter);
        };
    }
}
