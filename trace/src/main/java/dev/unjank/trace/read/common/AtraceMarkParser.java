package dev.unjank.trace.read.common;

import dev.unjank.trace.build.TraceBuilder;

/**
 * Parses the strings that programs write into the kernel's trace marker in the format of Android's atrace: a letter,
 * the process and the rest, separated by bars.
 *
 * <pre>
 * B|pid|name               begins a slice         E|pid                  ends the innermost slice
 * I|pid|name               a mark
 * S|pid|name|cookie        begins an asynchronous slice, F|... ends it
 * G|pid|track|name|cookie  begins one on a named track,  H|pid|track|cookie ends it (older: H|pid|track|name|cookie)
 * N|pid|track|name         a mark on a named track
 * C|pid|name|value         a counter value
 * </pre>
 *
 * <p>The name of a B may contain bars. Other strings are ignored.
 */
public final class AtraceMarkParser {
    private static final long NO_NUMBER = AsciiNumber.NONE;

    /** Of a pid; longer numbers exceed an int. */
    private static final int MAX_DIGITS = 9;

    private final TraceBuilder builder;
    private final int namelessSlice;

    private byte[] bytes = {};
    private int position;
    private int limit;

    /** The result of {@link #part}. */
    private int partFrom;

    private int partTo;

    public AtraceMarkParser(TraceBuilder builder) {
        this.builder = builder;
        this.namelessSlice = builder.intern("[empty slice name]");
    }

    /** Parses a string written by a thread; returns false if it is not a mark. */
    public boolean parse(long ts, int tid, byte[] text, int from, int to) {
        bytes = text;
        limit = to;
        while (limit > from && (bytes[limit - 1] == '\n' || bytes[limit - 1] == 0)) {
            limit--;
        }
        if (limit == from || (limit > from + 1 && bytes[from + 1] != '|')) {
            return false;
        }
        position = Math.min(from + 2, limit);
        byte letter = bytes[from];
        long process = process();
        if (letter == 'E') {
            builder.program().end(ts, tid, process == NO_NUMBER ? 0 : (int) process);
            return true;
        }
        return process != NO_NUMBER && withProcess(letter, ts, tid, (int) process);
    }

    /** Parses the next part as a number; most have few digits. */
    private long process() {
        byte[] digits = bytes;
        int end = Math.min(limit, position + MAX_DIGITS);
        int number = 0;
        int at = position;
        for (; at < end; at++) {
            int digit = digits[at] - '0';
            if (digit < 0 || digit > 9) {
                break;
            }
            number = number * 10 + digit;
        }
        if (at > position && (at == limit || digits[at] == '|')) {
            position = Math.min(at + 1, limit);
            return number;
        }
        part();
        return number();
    }

    private boolean withProcess(byte letter, long ts, int tid, int pid) {
        return switch (letter) {
            case 'B' -> {
                int name = position >= limit ? namelessSlice : builder.intern(bytes, position, limit - position);
                builder.program().begin(ts, tid, pid, name);
                yield true;
            }
            case 'I' -> {
                part();
                int name = name();
                if (name >= 0) {
                    builder.program().instant(ts, tid, pid, name);
                }
                yield name >= 0;
            }
            case 'C' -> counter(ts, pid);
            case 'S', 'F' -> async(letter, ts, pid);
            case 'G', 'H', 'N' -> onTrack(letter, ts, pid);
            default -> false;
        };
    }

    private boolean counter(long ts, int pid) {
        part();
        int name = name();
        part();
        long value = number();
        if (name < 0 || value == NO_NUMBER) {
            return false;
        }
        builder.program().counter(ts, pid, name, value);
        return true;
    }

    private boolean async(byte letter, long ts, int pid) {
        part();
        int name = name();
        part();
        long cookie = number();
        if (name < 0 || cookie == NO_NUMBER) {
            return false;
        }
        if (letter == 'S') {
            builder.program().asyncBegin(ts, pid, name, cookie, name);
        } else {
            builder.program().asyncEnd(ts, pid, name, cookie);
        }
        return true;
    }

    private boolean onTrack(byte letter, long ts, int pid) {
        part();
        int track = name();
        part();
        if (track < 0) {
            return false;
        }
        if (letter == 'H') {
            long cookie = number();
            part();
            long last = number();
            cookie = last == NO_NUMBER ? cookie : last;
            if (cookie == NO_NUMBER) {
                return false;
            }
            builder.program().asyncEnd(ts, pid, track, cookie);
            return true;
        }
        int name = name();
        if (name < 0) {
            return false;
        }
        if (letter == 'N') {
            builder.program().asyncInstant(ts, pid, track, name);
            return true;
        }
        part();
        long cookie = number();
        if (cookie == NO_NUMBER) {
            return false;
        }
        builder.program().asyncBegin(ts, pid, track, cookie, name);
        return true;
    }

    /** Moves to the next part, up to a bar or the end; it is empty after the end. */
    private void part() {
        partFrom = position;
        int at = position;
        while (at < limit && bytes[at] != '|') {
            at++;
        }
        partTo = at;
        position = Math.min(at + 1, limit);
    }

    private int name() {
        return partFrom == partTo ? -1 : builder.intern(bytes, partFrom, partTo - partFrom);
    }

    private long number() {
        return AsciiNumber.decimal(bytes, partFrom, partTo);
    }
}
