package dev.unjank.doctor;

import dev.unjank.trace.Counts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes incidents in a line each; those alike, of the same threads with the same verdict, in one line. */
final class IncidentTable {
    private static final int MOST = 20;
    private static final int NUMBER = 4;
    private static final int TIME = 12;
    private static final int VERDICT = 20;

    private final Page page;

    IncidentTable(Page page) {
        this.page = page;
    }

    /** What incidents of one line have in common: the verdict, who waited, and behind whom or for what. */
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

        /** Whoever it was that ran instead, a thread without a CPU is one. */
        static Kind of(Incident incident) {
            boolean starved = incident.verdict() == Verdict.NO_CPU && incident.inTheWay() == null;
            return new Kind(
                    incident.verdict(),
                    ThreadWords.name(incident.tree().thread()),
                    starved ? "" : WaitWords.behind(incident));
        }
    }

    /** Writes incidents, which are in order, the worst first. */
    void write(List<Incident> incidents) {
        Map<Kind, List<Incident>> kinds = new LinkedHashMap<>();
        for (Incident incident : incidents) {
            kinds.computeIfAbsent(Kind.of(incident), _ -> new ArrayList<>()).add(incident);
        }
        page.line(page.ink(Ink.BOLD, "The others"));
        TimeWords.Column times = TimeWords.Column.of(kinds.values().stream()
                .limit(MOST)
                .mapToLong(alike -> alike.getFirst().tree().durNs()));
        int lines = 0;
        int shown = 0;
        for (Map.Entry<Kind, List<Incident>> alike : kinds.entrySet()) {
            if (lines++ < MOST) {
                line(alike.getKey(), alike.getValue(), times);
                shown += alike.getValue().size();
            }
        }
        if (shown < incidents.size()) {
            page.wrapped("  ", "and " + (incidents.size() - shown) + " more (--json and --html have all)");
        }
        page.line();
    }

    private void line(Kind kind, List<Incident> alike, TimeWords.Column times) {
        Incident first = alike.getFirst();
        String numbers = "  " + Page.right(Integer.toString(first.id() + 1), NUMBER)
                + Page.right(times.time(first.tree().durNs()), TIME) + "  ";
        String rest = again(alike);
        if (page.width() < TextReport.WIDE) {
            page.line(numbers + page.ink(Ink.of(kind.verdict()), kind.verdict().name()));
            numbers = " ".repeat(8);
        } else {
            numbers += page.ink(Ink.of(kind.verdict()), Page.left(kind.verdict().name(), VERDICT));
        }
        page.line(numbers + threads(kind, alike, page.width() - Page.visible(numbers) - rest.length()) + rest);
    }

    /** Both sides of it: where there is no room for them, each has half, and what one leaves over. */
    private String threads(Kind kind, List<Incident> alike, int room) {
        Incident first = alike.getFirst();
        ThreadRef instead = kind.verdict() == Verdict.NO_CPU && first.inTheWay() == null ? ranMost(alike) : null;
        String behind = instead == null
                ? kind.behind()
                : ", while " + ThreadWords.nameBeside(first.tree().thread(), instead) + " ran";
        String right =
                page.fitAround(behind, Math.max(room / 2, room - kind.who().length()));
        return page.fitAround(kind.who(), room - right.length()) + right;
    }

    /** Who ran longest while a thread had no CPU, of all that did. */
    private static @Nullable ThreadRef ranMost(List<Incident> starved) {
        Map<Integer, long[]> sums = new HashMap<>();
        ThreadRef most = null;
        long longest = 0;
        for (Incident incident : starved) {
            for (Culprit culprit : incident.culprits()) {
                long[] sum = sums.computeIfAbsent(culprit.thread().utid(), _ -> new long[1]);
                sum[0] += culprit.ranNs();
                if (sum[0] > longest) {
                    longest = sum[0];
                    most = culprit.thread();
                }
            }
        }
        return most;
    }

    /** How often the same happened, if it did, and how long it was in all. */
    private static String again(List<Incident> alike) {
        if (alike.size() == 1) {
            return "";
        }
        long sum = alike.stream().mapToLong(incident -> incident.tree().durNs()).sum();
        return "; " + Counts.times(alike.size()) + ", " + TimeWords.time(sum);
    }
}
