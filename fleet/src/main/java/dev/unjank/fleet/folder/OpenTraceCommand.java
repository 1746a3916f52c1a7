package dev.unjank.fleet.folder;

import dev.unjank.fleet.input.TraceArchive;
import dev.unjank.trace.text.TerminalText;
import java.util.Locale;
import java.util.regex.Pattern;

/** Builds the shell command that diagnoses one trace of a fleet: a file, a file in an archive, or a file on Hadoop. */
public final class OpenTraceCommand {
    private static final Pattern ELSEWHERE = Pattern.compile("[a-z][a-z0-9+.-]*://.*", Pattern.DOTALL);
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./=+,@%:-]+");

    private static final Pattern UNZIP_PATTERN = Pattern.compile("[*?\\[\\]\\\\]");

    private OpenTraceCommand() {}

    /** Builds the command; {@code program} is the name of the command {@code unjank}. */
    public static String command(String program, String trace) {
        String doctor = program + " doctor ";
        int within = TraceArchive.endOfName(trace);
        boolean isElsewhere = ELSEWHERE.matcher(trace).matches();
        if (within < 0 || isElsewhere) {
            return isElsewhere ? "hadoop fs -cat " + word(trace) + " | " + doctor + "-" : doctor + word(trace);
        }
        String archive = trace.substring(0, within);
        String file = trace.substring(within + TraceArchive.WITHIN.length());
        boolean isZip = TraceArchive.isNamedLikeZip(archive);
        return (isZip ? "unzip -p " : "tar -xOf ") + word(archive) + (isZip ? " " : " -- ")
                + word(isZip ? literal(file) : file)
                + " | " + doctor + "-";
    }

    /** A name with unzip's pattern characters escaped. */
    private static String literal(String name) {
        return UNZIP_PATTERN.matcher(name).replaceAll("\\\\$0");
    }

    /** A string quoted as one word for a shell. */
    static String word(String text) {
        if (PLAIN.matcher(text).matches()) {
            return text;
        }
        return TerminalText.isPrintable(text) ? "'" + text.replace("'", "'\\''") + "'" : escaped(text);
    }

    /** A string with invisible and control characters escaped for bash. */
    private static String escaped(String text) {
        StringBuilder word = new StringBuilder("$'");
        text.codePoints().forEach(c -> {
            String seen = Character.toString(c);
            if (c == '\'' || c == '\\') {
                word.append('\\').append(seen);
            } else if (TerminalText.isPrintable(c)) {
                word.append(seen);
            } else {
                word.append(String.format(Locale.ROOT, "\\U%08x", c));
            }
        });
        return word.append('\'').toString();
    }
}
