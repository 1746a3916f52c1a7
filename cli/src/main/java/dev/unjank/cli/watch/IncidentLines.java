package dev.unjank.cli.watch;

import dev.unjank.doctor.ReportMessages;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** The lines of {@code watch} for incidents, where it has no screen. */
public final class IncidentLines {
    /** The number of lines for the incidents of a round: one convoy may have a thousand waits. */
    static final int MOST = 20;

    /** Includes the date, since the lines may be kept in a file. */
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSS", Locale.ROOT);

    private IncidentLines() {}

    /**
     * The longest incidents of a round in the order of their ends. Then a line for the others, with the same columns:
     * the end of the round's last incident, their sum, and their number.
     */
    public static List<String> of(List<IncidentSnapshot> incidents) {
        List<IncidentSnapshot> byDuration = incidents.stream()
                .sorted(Comparator.comparingLong(IncidentSnapshot::durNs).reversed())
                .toList();
        List<IncidentSnapshot> others = byDuration.stream().skip(MOST).toList();
        List<String> lines = new ArrayList<>();
        byDuration.stream()
                .limit(MOST)
                .sorted(Comparator.comparing(IncidentSnapshot::end))
                .map(IncidentLines::line)
                .forEach(lines::add);
        if (!others.isEmpty()) {
            long sumNs = others.stream().mapToLong(IncidentSnapshot::durNs).sum();
            Instant end = incidents.stream()
                    .map(IncidentSnapshot::end)
                    .max(Comparator.naturalOrder())
                    .orElseThrow();
            lines.add(begin(end, sumNs) + WatchMessages.shorter(others.size()));
        }
        return lines;
    }

    /** The line of an incident. */
    public static String line(IncidentSnapshot incident) {
        return begin(incident.end(), incident.durNs())
                + incident.grade()
                + (incident.unfinished() ? ", unfinished" : "") + "  " + incident.story();
    }

    /** The columns of every line: the time of the end, and the duration. */
    private static String begin(Instant end, long ns) {
        return TIME.format(end.atZone(ZoneId.systemDefault())) + "  "
                + String.format(Locale.ROOT, "%12s", ReportMessages.duration(ns)) + "  ";
    }
}
