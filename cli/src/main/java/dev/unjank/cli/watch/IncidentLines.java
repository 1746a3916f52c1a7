package dev.unjank.cli.watch;

import dev.unjank.doctor.ReportMessages;
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

    /** The longest incidents of a round in the order of their ends, then a line with the number of the others. */
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
            lines.add(WatchMessages.of("shorter", WatchMessages.incidents(others.size(), sumNs)));
        }
        return lines;
    }

    /** The line of an incident. */
    public static String line(IncidentSnapshot incident) {
        return TIME.format(incident.end().atZone(ZoneId.systemDefault())) + "  "
                + String.format(Locale.ROOT, "%12s", ReportMessages.duration(incident.durNs())) + "  "
                + incident.grade()
                + (incident.unfinished() ? ", unfinished" : "") + "  " + incident.story();
    }
}
