package dev.unjank.doctor.report.text;

import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.PreemptingThread;
import dev.unjank.doctor.model.ThreadRef;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.report.DurationFormat;
import dev.unjank.doctor.report.Messages;
import dev.unjank.doctor.report.ThreadLabels;
import dev.unjank.doctor.report.WaitMessages;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes one line per incident; incidents with the same threads and verdict share a line. */
final class IncidentTable {
    private static final int MOST = 20;
    private static final int NUMBER = 5;
    private static final int TIME = 12;
    private static final int VERDICT = 20;

    private final TextPage page;

    IncidentTable(TextPage page) {
        this.page = page;
    }

    /** The common part of the incidents in one line: the verdict, the waiter and the owner. */
    private record Kind(Verdict verdict, String who, String behind) {
        // Written out since the JVM makes the code of a record's own at its first use, which takes milliseconds.

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Kind same
                    && verdict == same.verdict
                    && who.equals(same.who)
                    && behind.equals(same.behind);
        }

        @Override
        public int hashCode() {
            return 31 * (31 * who.hashCode() + behind.hashCode()) + verdict.hashCode();
        }

        /** Waits of one thread for a CPU are alike, whichever threads ran. */
        static Kind of(Incident incident) {
            boolean starved = incident.verdict() == Verdict.NO_CPU && incident.blocker() == null;
            return new Kind(
                    incident.verdict(),
                    ThreadLabels.name(incident.rootWait().thread()),
                    starved ? "" : WaitMessages.behind(incident));
        }
    }

    /** Writes incidents, which are in order, the worst first. */
    void write(List<Incident> incidents) {
        Map<Kind, List<Incident>> kinds = new LinkedHashMap<>();
        for (Incident incident : incidents) {
            kinds.computeIfAbsent(Kind.of(incident), _ -> new ArrayList<>()).add(incident);
        }
        page.line(page.coloured(AnsiColour.BOLD, Messages.of("text.otherIncidents")));
        DurationFormat.Column times = DurationFormat.Column.of(kinds.values().stream()
                .limit(MOST)
                .mapToLong(alike -> alike.getFirst().rootWait().durNs()));
        int lines = 0;
        int shown = 0;
        for (Map.Entry<Kind, List<Incident>> alike : kinds.entrySet()) {
            if (lines++ < MOST) {
                line(alike.getKey(), alike.getValue(), times);
                shown += alike.getValue().size();
            }
        }
        if (shown < incidents.size()) {
            page.wrapped("  ", Messages.of("text.moreIncidents", incidents.size() - shown));
        }
        page.line();
    }

    private void line(Kind kind, List<Incident> alike, DurationFormat.Column times) {
        Incident first = alike.getFirst();
        String numbers = "  " + TextPage.right("#" + first.id(), NUMBER)
                + TextPage.right(times.time(first.rootWait().durNs()), TIME) + "  ";
        String rest = again(alike);
        if (page.width() < TextReport.WIDE) {
            page.line(numbers
                    + page.coloured(
                            AnsiColour.of(kind.verdict()), kind.verdict().name()));
            numbers = " ".repeat(9);
        } else {
            numbers += page.coloured(
                    AnsiColour.of(kind.verdict()), TextPage.left(kind.verdict().name(), VERDICT));
        }
        page.line(numbers + threads(kind, alike, page.width() - TextPage.visible(numbers) - rest.length()) + rest);
    }

    /** Waiter and owner. If the line is too short, each gets half, and what the other does not need. */
    private String threads(Kind kind, List<Incident> alike, int room) {
        Incident first = alike.getFirst();
        ThreadRef instead = kind.verdict() == Verdict.NO_CPU && first.blocker() == null ? ranMost(alike) : null;
        String behind = instead == null ? kind.behind() : WaitMessages.ran(first.rootWait(), instead);
        String right =
                page.fitAround(behind, Math.max(room / 2, room - kind.who().length()));
        return page.fitAround(kind.who(), room - right.length()) + right;
    }

    /** The thread that ran longest during the waits for a CPU. */
    private static @Nullable ThreadRef ranMost(List<Incident> starved) {
        Map<Integer, long[]> sums = new HashMap<>();
        ThreadRef most = null;
        long longest = 0;
        for (Incident incident : starved) {
            for (PreemptingThread preempting : incident.preemptingThreads()) {
                long[] sum = sums.computeIfAbsent(preempting.thread().utid(), _ -> new long[1]);
                sum[0] += preempting.ranNs();
                if (sum[0] > longest) {
                    longest = sum[0];
                    most = preempting.thread();
                }
            }
        }
        return most;
    }

    /** The number and the sum of the incidents, if there are several. */
    private static String again(List<Incident> alike) {
        if (alike.size() == 1) {
            return "";
        }
        long sum = alike.stream()
                .mapToLong(incident -> incident.rootWait().durNs())
                .sum();
        return Messages.of("text.again", Messages.times(alike.size()), DurationFormat.time(sum));
    }
}
