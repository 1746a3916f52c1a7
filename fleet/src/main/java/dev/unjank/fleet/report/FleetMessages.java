package dev.unjank.fleet.report;

import dev.unjank.trace.text.MessageFile;
import java.util.List;
import java.util.stream.Stream;

/** The sentences and labels of reports, in {@code messages.properties}. */
final class FleetMessages {
    private static final MessageFile CATALOGUE =
            new MessageFile(FleetMessages.class.getResourceAsStream("messages.properties"), "messages.properties");

    private FleetMessages() {}

    static String of(String key, Object... arguments) {
        return CATALOGUE.of(key, arguments);
    }

    /** The heads of columns, by key. */
    static List<String> columns(String... keys) {
        return Stream.of(keys).map(key -> of("column." + key)).toList();
    }

    /** A message as an SQL literal. */
    static String literal(String key) {
        return "'" + of(key).replace("'", "''") + "'";
    }
}
