package dev.unjank.cli.watch;

import dev.unjank.doctor.ReportMessages;
import dev.unjank.trace.text.MessageFile;
import java.util.Locale;

/** The sentences and labels of {@code watch}, in {@code messages.properties}. */
public final class WatchMessages {
    private static final MessageFile CATALOGUE =
            new MessageFile(WatchMessages.class.getResourceAsStream("messages.properties"), "messages.properties");

    private WatchMessages() {}

    public static String of(String key, Object... arguments) {
        return CATALOGUE.of(key, arguments);
    }

    /** Number and total duration of incidents, such as {@code 12 incidents, 0.512 s}. */
    public static String incidents(long count, long ns) {
        return of(
                count == 0 ? "incidents.none" : count == 1 ? "incidents.one" : "incidents.other",
                count,
                ReportMessages.duration(ns));
    }

    /** The number of incidents that have no line of their own. */
    static String shorter(long count) {
        return of(count == 1 ? "shorter.one" : "shorter.other", count);
    }

    /** The addition for lost events; empty if there are none. */
    public static String lost(long events) {
        return events == 0 ? "" : of("lost", String.format(Locale.ROOT, "%,d", events));
    }
}
