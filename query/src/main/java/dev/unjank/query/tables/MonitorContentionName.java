package dev.unjank.query.tables;

import dev.unjank.trace.text.LeadingInteger;
import org.jspecify.annotations.Nullable;

/**
 * Parts of the name of a monitor contention slice, parsed from the left like trace processor:
 *
 * <pre>
 * monitor contention with owner NAME (N) at RET METHOD(ARGS)(SOURCE) waiters=K blocking from RET METHOD(ARGS)(SOURCE)
 * </pre>
 *
 * <p>If a name contains the words between the parts, a part may be truncated or wrong. The doctor's parser differs on
 * purpose: it parses from the right and is not affected. Missing parts are null. The functions of the module {@code
 * android.monitor_contention} do the same with regular expressions.
 *
 * @param blockingThread the owner's name
 * @param blockingTid the tid in parentheses after the name
 * @param blockingMethod return type, method and arguments without the closing parenthesis
 * @param shortBlockingMethod the method's name
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
    static final String PREFIX = "monitor contention";

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

    /** The text from an index up to an end marker or the end; null for a negative index. */
    private static @Nullable String upTo(String end, String name, int from) {
        if (from < 0) {
            return null;
        }
        int to = name.indexOf(end, from);
        return name.substring(from, to < 0 ? name.length() : to);
    }

    /** The method with the opening parenthesis of its arguments, up to the one of its source. */
    private static @Nullable String method(String name, int from) {
        int open = from < 0 ? -1 : name.indexOf('(', from);
        return open < 0 ? null : name.substring(from, end(name, "(", open + 1));
    }

    /** The second word after a marker, if a space ends the first word and a parenthesis follows. */
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
        return text == null ? null : LeadingInteger.parse(text);
    }
}
