package dev.unjank.trace.text;

/** Formats counts in English. */
public final class EnglishCounts {
    private EnglishCounts() {}

    /** A count with its noun: {@code 1 wait}, {@code 2 waits}. The plural adds an s. */
    public static String of(long count, String one) {
        return count == 1 ? "1 " + one : count + " " + one + "s";
    }

    /** A number of times: {@code once}, {@code twice}, {@code 3 times}. */
    public static String times(long count) {
        return count == 1 ? "once" : count == 2 ? "twice" : count + " times";
    }
}
