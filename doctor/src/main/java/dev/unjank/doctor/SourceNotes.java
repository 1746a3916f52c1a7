package dev.unjank.doctor;

import dev.unjank.trace.Slices;
import dev.unjank.trace.Trace;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * What a recorder noted of its own sources: that one ended before the recording did, and why. Such a note is a mark on the track of the
 * process, {@code source: NAME} with the arguments {@code state} and {@code detail}.
 */
final class SourceNotes {
    private static final String SOURCE = "source: ";
    private static final String STATE = "debug.state";
    private static final String DETAIL = "debug.detail";
    private static final String ENDED = "ended";

    /** What the recorder says of a process that does not answer since it stands still: by a signal, or with its control group. */
    private static final Pattern STANDS_STILL = Pattern.compile("(?<= )is(?= (stopped|frozen)\\b)");

    private final List<Note> ended = new ArrayList<>();

    /** A source that ended, and why. */
    private record Note(String source, String why) {}

    SourceNotes(Trace trace) {
        Slices slices = trace.slices();
        NameTest notes = new NameTest(trace, name -> name.startsWith(SOURCE));
        int end = slices.size();
        for (int row = notes.next(slices.firstAsync(), end); row < end; row = notes.next(row + 1, end)) {
            if (ENDED.equals(trace.args().text(row, STATE))) {
                String why = Objects.requireNonNullElse(trace.args().text(row, DETAIL), "");
                ended.add(new Note(slices.name(row).substring(SOURCE.length()), why));
            }
        }
    }

    /** {@return a line for each source that ended early} */
    List<String> warnings() {
        return ended.stream()
                .map(note -> "the recording of " + note.source + " ended before the rest: " + note.why)
                .toList();
    }

    /** {@return what is not known since the process was stopped, as {@link Trace#unread} says it} */
    List<String> unread() {
        return ended.stream()
                .filter(note -> STANDS_STILL.matcher(note.why).find())
                .map(note -> "what " + note.source + " had of the end, when " + firstClause(note.why) + ",")
                .toList();
    }

    /** {@code process 7 was stopped, by a signal or a debugger}. */
    private static String firstClause(String why) {
        int and = why.indexOf(" and does not answer");
        String clause = and < 0 ? why : why.substring(0, and);
        return STANDS_STILL.matcher(clause).replaceFirst("was").replaceAll("[,;]$", "");
    }
}
