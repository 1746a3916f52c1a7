package dev.unjank.query.tables;

import org.jspecify.annotations.Nullable;

/**
 * What the name of a contended monitor's slice says, cut as trace processor cuts it, which is from the left:
 *
 * <pre>
 * monitor contention with owner NAME (N) at RET METHOD(ARGS)(SOURCE) waiters=K blocking from RET METHOD(ARGS)(SOURCE)
 * </pre>
 *
 * <p>So a part can be cut short, or be another one, where a name holds the words between the parts; the doctor, which cuts from
 * the right, is not led astray. What is not there is null. The same as regular expressions are the functions of the module
 * {@code android.monitor_contention}.
 *
 * @param blockingThread the owner's name
 * @param blockingTid the number behind it
 * @param blockingMethod return type, method and arguments, without the parenthesis that closes them
 * @param shortBlockingMethod the method alone
 */
record MonitorContentionName(
        @Nullable String blockingThread,
        @Nullable Long blockingTid,
        @Nullable String blockingMethod,
        @Nullable String shortBlockingMethod,
        @Nullable String blockingSource,
        @Nullable String blockedMethod,
        @Nullable String shortBlockedMethod,
        @Nullable String blockedSource,
        @Nullable Long waiters) {
    static final String BEGINNING = "monitor contention";

    private static final String AT = ") at ";
    private static final String FROM = "blocking from ";
    private static final String SOURCE = ")(";

    static MonitorContentionName of(String name) {
        int source = name.indexOf(SOURCE);
        int secondSource = source < 0 ? -1 : name.indexOf(SOURCE, source + SOURCE.length());
        return new MonitorContentionName(
                upTo(" (", name, after("with owner ", name)),
                number(upTo(")", name, after(" (", name))),
                method(name, after(AT, name)),
                shortMethod(name, AT),
                source < 0 ? null : upTo(")", name, source + SOURCE.length()),
                method(name, after(FROM, name)),
                shortMethod(name, FROM),
                secondSource < 0 ? null : upTo(")", name, secondSource + SOURCE.length()),
                number(upTo(" ", name, after("waiters=", name))));
    }

    private static int after(String mark, String name) {
        int at = name.indexOf(mark);
        return at < 0 ? -1 : at + mark.length();
    }

    /** From a place up to some text or the end; null if there is no such place. */
    private static @Nullable String upTo(String end, String name, int from) {
        if (from < 0) {
            return null;
        }
        int to = name.indexOf(end, from);
        return name.substring(from, to < 0 ? name.length() : to);
    }

    /** With the parenthesis of the arguments, up to the one of the source. */
    private static @Nullable String method(String name, int from) {
        int open = from < 0 ? -1 : name.indexOf('(', from);
        return open < 0 ? null : name.substring(from, end(name, "(", open + 1));
    }

    /** The second word behind a mark, if a space ends the first one and a parenthesis follows. */
    private static @Nullable String shortMethod(String name, String mark) {
        for (int at = after(mark, name); at >= 0; ) {
            int space = name.indexOf(' ', at);
            int open = name.indexOf('(', at);
            if (space < 0 || open < 0) {
                return null;
            }
            if (space < open) {
                return name.substring(space + 1, Math.min(open, end(name, " ", space + 1)));
            }
            int next = name.indexOf(mark, at);
            at = next < 0 ? -1 : next + mark.length();
        }
        return null;
    }

    private static int end(String name, String what, int from) {
        int at = name.indexOf(what, from);
        return at < 0 ? name.length() : at;
    }

    private static @Nullable Long number(@Nullable String text) {
        return text == null ? null : LeadingInteger.beginning(text);
    }
}
