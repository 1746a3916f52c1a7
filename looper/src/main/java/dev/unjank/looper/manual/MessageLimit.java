package dev.unjank.looper.manual;

import dev.unjank.looper.spi.Clock;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** A limit of the messages that one call of a test looper runs; exceeding it fails the call as endless. */
public final class MessageLimit {
    /** The number of tasks that an error lists. */
    private static final int SHOWN = 10;

    private final Clock clock;
    private final int limitPerInstant;
    private final int limitPerCall;
    /** The number of runs of each task since half of a limit was reached: an endless task has the most. */
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
     * @param task the description of the task, the same for each of its messages
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
