package dev.unjank.trace.proto;

import org.jspecify.annotations.Nullable;

/**
 * The start and the end of a thread as the description of its track. Perfetto's format has no fields for them but
 * kernel events, which are not on the wall clock. Times are relative to the packet of the description.
 *
 * @param starts whether the thread starts at the time of the packet
 * @param endAfterNs when it ends, ns after the packet; negative if unknown
 */
public record ThreadLife(boolean starts, long endAfterNs) {
    private static final String START = "The thread starts here.";
    private static final String END = "It ends after ns: ";

    /** The longest number that fits a long for certain. */
    private static final int MAX_DIGITS = 18;

    /** The description of a track; empty if neither is known. */
    public String text() {
        String end = endAfterNs < 0 ? "" : END + endAfterNs;
        return (starts ? START + " " : "").concat(end).strip();
    }

    /** Parses the description of a track; null if it is another text. */
    public static @Nullable ThreadLife parse(String text) {
        boolean starts = text.startsWith(START);
        String end = starts ? text.substring(START.length()).strip() : text;
        if (starts && end.isEmpty()) {
            return new ThreadLife(true, -1);
        }
        String number = end.startsWith(END) ? end.substring(END.length()) : "";
        boolean isNumber = !number.isEmpty()
                && number.length() <= MAX_DIGITS
                && number.chars().allMatch(digit -> digit >= '0' && digit <= '9');
        return isNumber ? new ThreadLife(starts, Long.parseLong(number)) : null;
    }
}
