package dev.unjank.cli.watch;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The incidents of the last minute, and how many there were before. Bounded; not for several threads. */
final class IncidentLog {
    private static final Duration KEPT = Duration.ofMinutes(1);
    private static final int MOST = 20_000;

    private final Deque<IncidentSnapshot> minute = new ArrayDeque<>();
    private long count;
    private long sumNs;

    /** What a thread waited in the last minute. */
    record Waits(int count, long sumNs) {
        private Waits and(Waits other) {
            return new Waits(count + other.count, sumNs + other.sumNs);
        }
    }

    /** Takes what was found, in any order, and forgets what is too old by now. */
    void add(Collection<IncidentSnapshot> found, Instant now) {
        found.stream().sorted(Comparator.comparing(IncidentSnapshot::end)).forEach(told -> {
            minute.add(told);
            count++;
            sumNs += told.durNs();
        });
        while (!minute.isEmpty()
                && (minute.size() > MOST || minute.getFirst().end().isBefore(now.minus(KEPT)))) {
            minute.remove();
        }
    }

    /** The longest of the last minute, the longest first. */
    List<IncidentSnapshot> worst(int most) {
        return minute.stream()
                .sorted(Comparator.comparingLong(IncidentSnapshot::durNs).reversed())
                .limit(most)
                .toList();
    }

    /** The last ones, the last first. */
    List<IncidentSnapshot> latest(int most) {
        List<IncidentSnapshot> all = List.copyOf(minute);
        return all.subList(Math.max(0, all.size() - most), all.size()).reversed();
    }

    /** What each thread waited in the last minute, by its number. */
    Map<Integer, Waits> waits() {
        Map<Integer, Waits> waits = new HashMap<>();
        for (IncidentSnapshot told : minute) {
            waits.merge(told.tid(), new Waits(1, told.durNs()), Waits::and);
        }
        return waits;
    }

    /** How many incidents there were altogether. */
    long count() {
        return count;
    }

    /** How long they were altogether. */
    long sumNs() {
        return sumNs;
    }
}
