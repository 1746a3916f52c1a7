package dev.unjank.doctor.report;

import java.util.stream.LongStream;

/** Writes times for people. */
public final class DurationFormat {
    private static final long MILLISECOND = 1_000_000;
    private static final long SECOND = 1000 * MILLISECOND;

    private DurationFormat() {}

    /** The format of a column's times: all in one unit, so that the eye can compare them. */
    public enum Column {
        MILLISECONDS(MILLISECOND, " ms"),
        SECONDS(SECOND, " s");

        private final long unit;
        private final String name;

        Column(long unit, String name) {
            this.unit = unit;
            this.name = name;
        }

        /** The unit for some times in ns: seconds if all of them have some. */
        public static Column of(LongStream times) {
            return times.allMatch(ns -> ns == 0 || isSeconds(ns)) ? SECONDS : MILLISECONDS;
        }

        public String time(long ns) {
            return thousandths(ns, unit) + name;
        }
    }

    /**
     * {@return a time with its unit, to the microsecond, or to the millisecond from one second on}
     *
     * @param ns the time in ns
     */
    public static String time(long ns) {
        return (isSeconds(ns) ? Column.SECONDS : Column.MILLISECONDS).time(ns);
    }

    /** The same without zeros at the end. */
    public static String roundTime(long ns) {
        String time = time(ns);
        int unit = time.indexOf(' ');
        int end = unit;
        while (time.charAt(end - 1) == '0') {
            end--;
        }
        return time.substring(0, time.charAt(end - 1) == '.' ? end - 1 : end) + time.substring(unit);
    }

    private static boolean isSeconds(long ns) {
        return ns >= SECOND - MILLISECOND / 2000;
    }

    /** By hand, since a formatter costs a short program a tenth of its run. */
    private static String thousandths(long ns, long unit) {
        long rounded = (ns + unit / 2000) / (unit / 1000);
        return rounded / 1000 + "." + Long.toString(1000 + rounded % 1000).substring(1);
    }
}
