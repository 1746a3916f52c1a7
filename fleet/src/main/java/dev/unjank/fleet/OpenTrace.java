package dev.unjank.fleet;

import java.util.Locale;
import java.util.regex.Pattern;

/** How a person opens a trace of a fleet, wherever it lies. */
final class OpenTrace {
    private static final Pattern ELSEWHERE = Pattern.compile("[a-z][a-z0-9+.-]*://.*", Pattern.DOTALL);
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./=+,@%:-]+");

    private static final Pattern SPECIAL_TO_UNZIP = Pattern.compile("[*?\\[\\]\\\\]");

    private OpenTrace() {}

    /** A command for a POSIX shell. */
    static String command(String trace) {
        int within = trace.indexOf("!/");
        boolean isElsewhere = ELSEWHERE.matcher(trace).matches();
        if (within < 0 || isElsewhere) {
            return isElsewhere
                    ? "hadoop fs -cat " + word(trace) + " | unjank doctor -"
                    : "unjank doctor " + word(trace);
        }
        String archive = trace.substring(0, within);
        boolean isZip = archive.toLowerCase(Locale.ROOT).endsWith(".zip");
        return (isZip ? "unzip -p " : "tar -xOf ") + word(archive) + (isZip ? " " : " -- ")
                + word(isZip ? literal(trace.substring(within + 2)) : trace.substring(within + 2))
                + " | unjank doctor -";
    }

    /** A name as unzip takes it, which would take it for a pattern. */
    private static String literal(String name) {
        return SPECIAL_TO_UNZIP.matcher(name).replaceAll("\\\\$0");
    }

    private static String word(String text) {
        return PLAIN.matcher(text).matches() ? text : "'" + text.replace("'", "'\\''") + "'";
    }
}
