package dev.unjank.trace.text;

/** Formats counts in English. */
public final class EnglishCounts {
    private EnglishCounts() {}

    /**
     * {@return a count with its noun: {@code 1 wait}, {@code 2 waits}}
     *
     * @param count the number
     * @param one the singular; the plural adds an s
     */
    public static String of(long count, String one) {
        return count == 1 ? "1 " + one : count + " " + one + "s";
    }

    /**
     * {@return a count with a noun that has an irregular plural: {@code 1 damaged bundle of events}}
     *
     * @param count the number
     * @param one the singular
     * @param many the plural
     */
    public static String of(long count, String one, String many) {
        return count + " " + (count == 1 ? one : many);
    }

    /**
     * {@return a number of times: {@code once}, {@code twice}, {@code 3 times}}
     *
     * @param count the number
     */
    public static String times(long count) {
        return count == 1 ? "once" : count == 2 ? "twice" : count + " times";
    }
}
