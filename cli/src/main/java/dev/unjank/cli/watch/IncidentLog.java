package dev.unjank.cli.watch;

import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.model.cause.RootCause;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The incidents of the last minute, and the totals since the start. Bounded; not thread-safe. */
final class IncidentLog {
    private static final Duration KEPT = Duration.ofMinutes(1);
    private static final int MOST = 20_000;

    private final Deque<IncidentSnapshot> minute = new ArrayDeque<>();
    private long count;
    private long sumNs;

    /** The waits of a thread in the last minute. */
    record Waits(int count, long sumNs) {
        private Waits and(Waits other) {
            return new Waits(count + other.count, sumNs + other.sumNs);
        }
    }

    /** Adds incidents, in any order, and drops those older than a minute. */
    void add(Collection<IncidentSnapshot> found, Instant now) {
        found.stream().sorted(Comparator.comparing(IncidentSnapshot::end)).forEach(incident -> {
            minute.add(incident);
            count++;
            sumNs += incident.durNs();
        });
        while (!minute.isEmpty()
                && (minute.size() > MOST || minute.getFirst().end().isBefore(now.minus(KEPT)))) {
            minute.remove();
        }
    }

    /** The root causes of the last minute, largest total first. */
    List<WatchSnapshot.Cause> causes(int most) {
        Map<RootCause.Key, List<IncidentSnapshot>> byCause = new LinkedHashMap<>();
        minute.forEach(incident -> byCause.computeIfAbsent(incident.cause(), _ -> new ArrayList<>())
                .add(incident));
        return byCause.values().stream()
                .map(IncidentLog::cause)
                .sorted(Comparator.comparingLong(WatchSnapshot.Cause::sumNs).reversed())
                .limit(most)
                .toList();
    }

    private static WatchSnapshot.Cause cause(List<IncidentSnapshot> incidents) {
        Map<Verdict, Long> sums = new EnumMap<>(Verdict.class);
        incidents.forEach(incident -> sums.merge(incident.verdict(), incident.durNs(), Long::sum));
        Verdict verdict = incidents.getFirst().verdict();
        for (Map.Entry<Verdict, Long> sum : sums.entrySet()) {
            if (sum.getValue() > sums.getOrDefault(verdict, 0L)) {
                verdict = sum.getKey();
            }
        }
        long sumNs = sums.values().stream().mapToLong(ns -> ns).sum();
        return new WatchSnapshot.Cause(verdict, incidents.getLast().causeText(), incidents.size(), sumNs);
    }

    /** The longest incidents of the last minute, longest first. */
    List<IncidentSnapshot> worst(int most) {
        return minute.stream()
                .sorted(Comparator.comparingLong(IncidentSnapshot::durNs).reversed())
                .limit(most)
                .toList();
    }

    /** The latest incidents, latest first. */
    List<IncidentSnapshot> latest(int most) {
        List<IncidentSnapshot> all = List.copyOf(minute);
        return all.subList(Math.max(0, all.size() - most), all.size()).reversed();
    }

    /** The waits of each thread in the last minute, by thread id. */
    Map<Integer, Waits> waits() {
        Map<Integer, Waits> waits = new HashMap<>();
        for (IncidentSnapshot incident : minute) {
            waits.merge(incident.tid(), new Waits(1, incident.durNs()), Waits::and);
        }
        return waits;
    }

    /** The number of incidents since the start. */
    long count() {
        return count;
    }

    /** Their total duration. */
    long sumNs() {
        return sumNs;
    }
}
