package dev.unjank.trace.text;

/** Says in plain English how many, and how often. */
public final class EnglishCounts {
    private EnglishCounts() {}

    /**
     * {@return so many of something: {@code 1 wait}, {@code 2 waits}}
     *
     * @param count the number
     * @param one what one is called; several are called so with an s
     */
    public static String of(long count, String one) {
        return count == 1 ? "1 " + one : count + " " + one + "s";
    }

    /**
     * {@return so many of something whose plural ends with no s: {@code 1 damaged bundle of events}}
     *
     * @param count the number
     * @param one what one is called
     * @param many what several are called
     */
    public static String of(long count, String one, String many) {
        return count + " " + (count == 1 ? one : many);
    }

    /**
     * {@return how often: {@code once}, {@code twice}, {@code 3 times}}
     *
     * @param count how often
     */
    public static String times(long count) {
        return count == 1 ? "once" : count == 2 ? "twice" : count + " times";
    }
}
