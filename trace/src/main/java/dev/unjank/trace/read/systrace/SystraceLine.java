package dev.unjank.trace.read.systrace;

import java.nio.charset.StandardCharsets;

/**
 * Parses one event as the kernel's tracer prints it:
 *
 * <pre>
 *   TASK-TID  ( TGID) [CPU] FLAGS SECONDS.FRACTION: EVENT: BODY
 * </pre>
 *
 * <p>The TGID is missing or consists of dashes if the kernel did not record it, and old kernels omit the flags or the
 * blank after them. A
 * task's name may contain anything, including brackets and blanks, so the first brackets count after which the rest
 * of the line matches.
 */
public final class SystraceLine {
    /** The number of flags in kernels before 5.16: interrupts off, need to reschedule, in an interrupt, preemption. */
    private static final int FLAGS = 4;

    private static final int MAX_CPU_DIGITS = 4;
    private static final int MAX_NUMBER_DIGITS = 10;
    private static final int NANOS_DIGITS = 9;

    private byte[] bytes = {};
    private int limit;

    /** The start of the task's name. */
    int commFrom;
    /** The end of the task's name. */
    int commTo;

    int tid;
    /** The thread's process, -1 if unknown. */
    int tgid;

    int cpu;
    /** Whether the event was recorded in an interrupt. */
    boolean inInterrupt;
    /** The time in ns. */
    long ts;

    private int eventFrom;
    private int eventTo;
    private int bodyFrom;

    /** The position after {@link #digits}. */
    private int at;

    /** Parses a line; returns false if it is not an event. */
    public boolean parse(byte[] line, int from, int to) {
        bytes = line;
        limit = to;
        for (int i = from + 1; i < to; i++) {
            if (line[i] == '[' && line[i - 1] == ' ' && parseAfter(i) && parseBefore(from, i)) {
                return true;
            }
        }
        return false;
    }

    /** Parses from the brackets to the right. */
    private boolean parseAfter(int bracket) {
        long number = digits(bracket + 1, MAX_CPU_DIGITS);
        if (number < 0 || !is(at, ']') || !is(at + 1, ' ')) {
            return false;
        }
        cpu = (int) number;
        int token = skipBlanks(at + 1);
        inInterrupt = false;
        if (!time(token)) {
            int end = token;
            while (end < limit && bytes[end] != ' ') {
                end++;
            }
            inInterrupt = end - token >= FLAGS && isInterrupt(bytes[token + 2]);
            if (!time(skipBlanks(end)) && !timeAfterFlags(token)) {
                return false;
            }
        }
        eventFrom = skipBlanks(at);
        int end = eventFrom;
        while (end < limit && isOfName(bytes[end])) {
            end++;
        }
        eventTo = end;
        bodyFrom = is(end + 1, ' ') ? end + 2 : end + 1;
        return end > eventFrom && is(end, ':');
    }

    /** Parses a time that follows the flags without a blank, as some old kernels print it: {@code d..3316.196421:}. */
    private boolean timeAfterFlags(int token) {
        for (int i = token; i < token + FLAGS; i++) {
            if (i >= limit
                    || !(bytes[i] == '.' || isOfName(bytes[i]))
                    || (i < token + FLAGS - 1 && isDigit(bytes[i]))) {
                return false;
            }
        }
        return time(token + FLAGS);
    }

    /** Parses {@code SECONDS.FRACTION:}. */
    private boolean time(int from) {
        long seconds = digits(from, MAX_NUMBER_DIGITS);
        if (seconds < 0 || !is(at, '.')) {
            return false;
        }
        int fractionFrom = at + 1;
        long fraction = digits(fractionFrom, NANOS_DIGITS);
        if (fraction < 0 || !is(at, ':')) {
            return false;
        }
        for (int i = at - fractionFrom; i < NANOS_DIGITS; i++) {
            fraction *= 10;
        }
        ts = seconds * 1_000_000_000 + fraction;
        at++;
        return true;
    }

    /** Parses from the brackets to the left. */
    private boolean parseBefore(int from, int bracket) {
        int end = trimmed(from, bracket);
        tgid = -1;
        if (end > from && bytes[end - 1] == ')') {
            int open = end - 1;
            while (open > from && bytes[open] != '(') {
                open--;
            }
            long group = digits(skipBlanks(open + 1), MAX_NUMBER_DIGITS);
            if (group >= 0 && at == end - 1) {
                tgid = (int) group;
            }
            end = trimmed(from, open);
        }
        int dash = end - 1;
        while (dash > from && bytes[dash] >= '0' && bytes[dash] <= '9') {
            dash--;
        }
        long number = dash > from && bytes[dash] == '-' ? digits(dash + 1, MAX_NUMBER_DIGITS) : -1;
        if (number < 0 || number > Integer.MAX_VALUE || at != end) {
            return false;
        }
        tid = (int) number;
        commFrom = Math.min(skipBlanks(from), dash);
        commTo = dash;
        return true;
    }

    private int trimmed(int from, int to) {
        int end = to;
        while (end > from && bytes[end - 1] == ' ') {
            end--;
        }
        return end;
    }

    private int skipBlanks(int from) {
        int i = from;
        while (i < limit && bytes[i] == ' ') {
            i++;
        }
        return i;
    }

    /** A number with at most {@code most} digits, -1 if there is none; {@link #at} is set to its end. */
    private long digits(int from, int most) {
        long number = 0;
        int i = from;
        while (i < limit && bytes[i] >= '0' && bytes[i] <= '9' && i - from < most) {
            number = number * 10 + (bytes[i++] - '0');
        }
        at = i;
        return i == from ? -1 : number;
    }

    private boolean is(int index, char c) {
        return index < limit && bytes[index] == c;
    }

    private static boolean isInterrupt(byte flag) {
        return flag == 'h' || flag == 'H' || flag == 's' || flag == 'Z' || flag == 'z';
    }

    private static boolean isDigit(byte b) {
        return b >= '0' && b <= '9';
    }

    private static boolean isOfName(byte b) {
        return (b >= 'a' && b <= 'z') || (b >= 'A' && b <= 'Z') || isDigit(b) || b == '_';
    }

    /** Whether the task's name was recorded. */
    boolean hasComm() {
        return commTo > commFrom && bytes[commFrom] != '<';
    }

    /** The event's name. */
    public String event() {
        return new String(bytes, eventFrom, eventTo - eventFrom, StandardCharsets.ISO_8859_1);
    }

    /** The start of the event's body, which extends to the end of the line. */
    int bodyFrom() {
        return Math.min(bodyFrom, limit);
    }
}
