package dev.unjank.record.lifecycle;

import java.time.Duration;

/**
 * The time limits of the steps that end a command's recording, whatever a target or another process does. Their sum is
 * at most two seconds, without the time in which the recorder gets no CPU:
 *
 * <pre>
 * signal ──▶ kernel's events ──▶ target's last answers ──▶ reading them ──▶ cleanup in the target ──▶ helper's exit
 *            COMMAND_LINE, NAMES ANSWERS, one MOMENT       READING           CLEANUPS × MOMENT         HELPER
 * </pre>
 *
 * <p>The time for answers and for reading begins with the signal, so it includes the step before, but each step gets a
 * minimum.
 */
public final class EndLimits {
    /**
     * A read of another user's command line, which the process may block. The current round of reading the kernel's
     * events may contain one.
     */
    public static final Duration COMMAND_LINE = Duration.ofMillis(300);

    /** A sample of the target's memory, which the target may block. It runs at the same time as that read. */
    public static final Duration MEMORY = Duration.ofMillis(100);

    /**
     * Looking up names of threads: the rest of the current round of reading the kernel's events, and the last round.
     */
    public static final Duration NAMES = Duration.ofMillis(100);

    /** All waits for the target together, from the signal on. */
    public static final Duration ANSWERS = Duration.ofMillis(700);

    /** The minimum time of a request to the target after that, including the interval at which its limit is checked. */
    public static final Duration MOMENT = Duration.ofMillis(100);

    /** Reading the target's data, after the time for answers. */
    public static final Duration READING = Duration.ofMillis(600);

    /** The minimum time of reading: on a busy machine stopping other sources may use up the limit before it starts. */
    public static final Duration LEAST_READING = Duration.ofMillis(200);

    /** The helper's exit. */
    public static final Duration HELPER = Duration.ofMillis(300);

    /** The requests after reading: removing two folders, and the agent's last message. */
    private static final int CLEANUPS = 3;

    private EndLimits() {}

    /** The time from a signal to the end of the recording if every step takes its limit. */
    static Duration longestEnd() {
        Duration minimums = COMMAND_LINE.plus(NAMES).plus(ANSWERS).plus(MOMENT).plus(LEAST_READING);
        Duration shared = ANSWERS.plus(READING);
        Duration untilRead = minimums.compareTo(shared) > 0 ? minimums : shared;
        return untilRead.plus(MOMENT.multipliedBy(CLEANUPS)).plus(HELPER);
    }
}
