package dev.unjank.doctor.find.code;

import dev.unjank.doctor.model.CodeLocation;
import org.jspecify.annotations.Nullable;

/** Parses code locations as Android's runtime and recorders of Java programs write them in names and stacks. */
public final class CodeLocationParser {
    private CodeLocationParser() {}

    /** Parses {@code RET CLASS.NAME(ARGS)(LOCATION)}; the runtime writes {@code null} for an unknown method. */
    public static @Nullable CodeLocation location(String text) {
        int open = text.indexOf('(');
        int space = text.lastIndexOf(' ', open < 0 ? text.length() : open);
        String method = text.substring(space + 1, open < 0 ? text.length() : open);
        if (method.isEmpty() || method.equals("null")) {
            return null;
        }
        int location = text.indexOf(")(", open) + 2;
        if (open < 0 || location < 2 || !text.endsWith(")")) {
            return new CodeLocation(method, null, CodeLocation.NO_LINE);
        }
        int end = text.length() - 1;
        int colon = text.lastIndexOf(':');
        boolean negative = colon >= location && text.startsWith("-", colon + 1);
        int line = colon < location ? -1 : number(text, colon + (negative ? 2 : 1), end);
        if (line < 0) {
            return new CodeLocation(
                    method, location < end ? text.substring(location, end) : null, CodeLocation.NO_LINE);
        }
        return new CodeLocation(method, text.substring(location, colon), negative ? -line : line);
    }

    /** The decimal number in {@code text[from, to)}, -1 if it is no int. */
    public static int number(String text, int from, int to) {
        if (from >= to) {
            return -1;
        }
        long value = 0;
        for (int i = from; i < to; i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            value = value * 10 + digit;
            if (value > Integer.MAX_VALUE) {
                return -1;
            }
        }
        return (int) value;
    }
}
