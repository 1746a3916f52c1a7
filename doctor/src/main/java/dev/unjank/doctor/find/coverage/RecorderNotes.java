package dev.unjank.doctor.find.coverage;

import dev.unjank.doctor.find.activity.SliceNameFilter;
import dev.unjank.doctor.report.DurationFormat;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.Trace;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * What a recorder noted of its own sources: that one ended before the recording did, and why. Such a note is a mark on the track of the
 * process, {@code source: NAME} with the arguments {@code state} and {@code detail}. Flight Recorder tells of some seconds at a time, with a
 * mark at the end of each: what comes after the last one is missing if the recording was killed, or had no room.
 */
public final class RecorderNotes {
    private static final String SOURCE = "source: ";
    private static final String STATE = "debug.state";
    private static final String DETAIL = "debug.detail";
    private static final String ENDED = "ended";
    private static final String ON = "on";

    private static final String FLIGHT_RECORDER = "Flight Recorder";
    private static final String TOLD = FLIGHT_RECORDER + " file";

    /** In a recording that ended in order Flight Recorder told all but what its last file took to be written. */
    private static final long MOST_UNTOLD_NANOS = 1_000_000_000;

    /** What the recorder says of a process that does not answer since it stands still: by a signal, or with its control group. */
    private static final Pattern STANDS_STILL = Pattern.compile("(?<= )is(?= (stopped|frozen)\\b)");

    private final List<Note> ended = new ArrayList<>();

    /** What Flight Recorder had of the end and did not tell, in ns. */
    private final long untoldNanos;

    /** A source that ended, and why. */
    private record Note(String source, String why) {}

    public RecorderNotes(Trace trace) {
        Slices slices = trace.slices();
        SliceNameFilter notes = new SliceNameFilter(trace, name -> name.startsWith(SOURCE) || name.equals(TOLD));
        boolean isOn = false;
        long toldUntil = trace.startNs();
        int end = slices.size();
        for (int row = notes.next(slices.firstAsync(), end); row < end; row = notes.next(row + 1, end)) {
            String state = trace.args().text(row, STATE);
            if (slices.name(row).equals(TOLD)) {
                toldUntil = Math.max(toldUntil, slices.ts(row));
            } else if (ON.equals(state) && slices.name(row).equals(SOURCE + FLIGHT_RECORDER)) {
                isOn = true;
            } else if (ENDED.equals(state)) {
                String why = Objects.requireNonNullElse(trace.args().text(row, DETAIL), "");
                ended.add(new Note(slices.name(row).substring(SOURCE.length()), why));
            }
        }
        boolean hasEnded = ended.stream().anyMatch(note -> note.source.equals(FLIGHT_RECORDER));
        long untold = trace.endNs() - toldUntil;
        untoldNanos = isOn && !hasEnded && untold > MOST_UNTOLD_NANOS ? untold : 0;
    }

    /** {@return a line for each source that ended early, or did not tell of the end} */
    public List<String> warnings() {
        List<String> lines = new ArrayList<>();
        ended.forEach(note -> lines.add("the recording of " + note.source + " ended before the rest: " + note.why));
        if (untoldNanos > 0) {
            lines.add("waits for locks of the last " + DurationFormat.roundTime(untoldNanos) + " are missing: "
                    + FLIGHT_RECORDER
                    + " tells some seconds later, and the recording was killed before that, or had no room");
        }
        return lines;
    }

    /** {@return what is not known since the process was stopped or the recording killed, as {@link Trace#unreadParts} says it} */
    public List<String> unread() {
        List<String> parts = new ArrayList<>();
        ended.stream()
                .filter(note -> STANDS_STILL.matcher(note.why).find())
                .forEach(note ->
                        parts.add("what " + note.source + " had of the end, when " + firstClause(note.why) + ","));
        if (untoldNanos > 0) {
            parts.add("what " + FLIGHT_RECORDER + " had of the last " + DurationFormat.roundTime(untoldNanos));
        }
        return parts;
    }

    /** {@code process 7 was stopped, by a signal or a debugger}. */
    private static String firstClause(String why) {
        int and = why.indexOf(" and does not answer");
        String clause = and < 0 ? why : why.substring(0, and);
        return STANDS_STILL.matcher(clause).replaceFirst("was").replaceAll("[,;]$", "");
    }
}
