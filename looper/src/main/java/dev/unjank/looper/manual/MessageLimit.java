package dev.unjank.looper.manual;

import dev.unjank.looper.spi.Clock;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Counts the messages that one call of a test looper runs, and fails when they seem endless. */
public final class MessageLimit {
    /** How many tasks an error lists. */
    private static final int SHOWN = 10;

    private final Clock clock;
    private final int limitPerInstant;
    private final int limitPerCall;
    /** How often each task has run since half of a limit was reached: an endless task leads this list. */
    private final Map<String, Integer> tasks = new HashMap<>();

    private long instant;
    private int atInstant;
    private int inCall;

    public MessageLimit(Clock clock, int limitPerInstant, int limitPerCall) {
        this.clock = clock;
        this.limitPerInstant = limitPerInstant;
        this.limitPerCall = limitPerCall;
        this.instant = clock.nanos();
    }

    public int inCall() {
        return inCall;
    }

    /**
     * Counts a message that is about to run.
     *
     * @param task describes what runs, the same for every message of a task
     */
    public void add(Supplier<String> task) {
        if (clock.nanos() != instant) {
            instant = clock.nanos();
            atInstant = 0;
        }
        inCall++;
        atInstant++;
        if (atInstant > limitPerInstant / 2 || inCall > limitPerCall / 2) {
            tasks.merge(task.get(), 1, Integer::sum);
        }
    }

    /** Throws if the limit is exceeded. */
    public void check() {
        if (atInstant > limitPerInstant || inCall > limitPerCall) {
            throw new IllegalStateException("No end in sight: " + inCall + " messages have run in this call, the last "
                    + atInstant + " of them at " + clock.uptimeMillis() + " ms. Most frequent recent tasks:"
                    + describeMostFrequent());
        }
    }

    private String describeMostFrequent() {
        return tasks.entrySet().stream()
                .sorted(Map.Entry.<String, Integer>comparingByValue(Comparator.reverseOrder()))
                .limit(SHOWN)
                .map(e -> "\n  " + e.getValue() + " times " + e.getKey())
                .collect(Collectors.joining());
    }
}
