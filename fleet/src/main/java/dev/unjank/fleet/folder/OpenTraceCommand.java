package dev.unjank.fleet.folder;

import dev.unjank.fleet.input.TraceArchive;
import dev.unjank.trace.text.TerminalText;
import java.util.Locale;
import java.util.regex.Pattern;

/** How a person opens a trace of a fleet, wherever it lies. */
public final class OpenTraceCommand {
    private static final Pattern ELSEWHERE = Pattern.compile("[a-z][a-z0-9+.-]*://.*", Pattern.DOTALL);
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./=+,@%:-]+");

    private static final Pattern SPECIAL_TO_UNZIP = Pattern.compile("[*?\\[\\]\\\\]");

    private OpenTraceCommand() {}

    /**
     * A command for a shell.
     *
     * @param program what the doctor's program is called where the command will be typed
     */
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

    /** A name as unzip takes it, which would take it for a pattern. */
    private static String literal(String name) {
        return SPECIAL_TO_UNZIP.matcher(name).replaceAll("\\\\$0");
    }

    /** A text as one word of a shell's. */
    static String word(String text) {
        if (PLAIN.matcher(text).matches()) {
            return text;
        }
        return TerminalText.isPrintable(text) ? "'" + text.replace("'", "'\\''") + "'" : spelled(text);
    }

    /** What could not be seen, or would do something to a terminal, spelled out as bash and its like read it. */
    private static String spelled(String text) {
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
