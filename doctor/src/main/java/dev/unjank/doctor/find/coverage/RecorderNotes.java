package dev.unjank.doctor.find.coverage;

import dev.unjank.doctor.model.Warning;
import dev.unjank.trace.model.SliceNameFilter;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.Trace;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * The notes of a recorder on its own data sources: a source ended before the recording did, and why. A note is an
 * instant event on the track of the process, {@code source: NAME}, with the arguments {@code state} and {@code detail}.
 * Flight Recorder writes files of some seconds, with an instant event at the end of each: events after the last one are
 * missing if the recording was killed or had no space.
 */
public final class RecorderNotes {
    private static final String CATEGORY = "unjank";
    private static final String SOURCE = "source: ";
    private static final String STATE = "debug.state";
    private static final String DETAIL = "debug.detail";
    private static final String ENDED = "ended";
    private static final String ON = "on";

    private static final String FLIGHT_RECORDER = "Flight Recorder";
    private static final String FILE_END = FLIGHT_RECORDER + " file";

    /** The longest time after the last file in a recording that ended in order. */
    private static final long MAX_MISSING_END_NS = 1_000_000_000;

    /** The recorder's note on a process that does not answer because it is stopped or frozen. */
    private static final Pattern STOPPED_PROCESS = Pattern.compile("(?<= )is(?= (stopped|frozen)\\b)");

    private final List<Warning.SourceEnded> ended = new ArrayList<>();

    /** The time at the end that Flight Recorder did not write, in ns. */
    private final long missingEndNs;

    public RecorderNotes(Trace trace) {
        Slices slices = trace.slices();
        SliceNameFilter notes = new SliceNameFilter(trace, name -> name.startsWith(SOURCE) || name.equals(FILE_END));
        boolean isOn = false;
        long writtenUntil = trace.startNs();
        int end = slices.size();
        for (int row = notes.next(slices.firstAsync(), end); row < end; row = notes.next(row + 1, end)) {
            String state = trace.args().text(row, STATE);
            if (slices.name(row).equals(FILE_END)) {
                writtenUntil = Math.max(writtenUntil, slices.ts(row));
            } else if (ON.equals(state) && slices.name(row).equals(SOURCE + FLIGHT_RECORDER)) {
                isOn = true;
            } else if (ENDED.equals(state)) {
                String why = Objects.requireNonNullElse(trace.args().text(row, DETAIL), "");
                ended.add(new Warning.SourceEnded(slices.name(row).substring(SOURCE.length()), why));
            }
        }
        boolean hasEnded = ended.stream().anyMatch(note -> note.source().equals(FLIGHT_RECORDER));
        long missing = trace.endNs() - writtenUntil;
        missingEndNs = isOn && !hasEnded && missing > MAX_MISSING_END_NS ? missing : 0;
    }

    /**
     * {@return the pid of the process that was recorded, by whose track the notes are; -1 if the trace is no recording
     * of one process}
     */
    public static int recordedPid(Trace trace) {
        Slices slices = trace.slices();
        SliceNameFilter notes = new SliceNameFilter(trace, name -> name.startsWith(SOURCE));
        int pid = -1;
        for (int row = notes.next(slices.firstAsync(), slices.size());
                row < slices.size();
                row = notes.next(row + 1, slices.size())) {
            if (slices.upid(row) >= 0 && slices.category(row).equals(CATEGORY)) {
                int noted = trace.processes().pid(slices.upid(row));
                if (pid >= 0 && noted != pid) {
                    return -1; // recordings of several processes that are read as one
                }
                pid = noted;
            }
        }
        return pid;
    }

    /** {@return the sources that ended early, and the end that Flight Recorder did not write} */
    public List<Warning> warnings() {
        List<Warning> warnings = new ArrayList<>(ended);
        addMissingEnd(warnings);
        return warnings;
    }

    /** {@return the parts that are missing since the process was stopped or the recording was killed} */
    public List<Warning> unread() {
        List<Warning> parts = new ArrayList<>();
        ended.stream()
                .filter(note -> STOPPED_PROCESS.matcher(note.reason()).find())
                .forEach(parts::add);
        addMissingEnd(parts);
        return parts;
    }

    private void addMissingEnd(List<Warning> warnings) {
        if (missingEndNs > 0) {
            warnings.add(new Warning.EndMissing(FLIGHT_RECORDER, missingEndNs));
        }
    }

    /**
     * {@return the first clause of a note on a stopped process: {@code process 7 was stopped, by a signal or a
     * debugger}}
     */
    public static String stopClause(String reason) {
        int and = reason.indexOf(" and does not answer");
        String clause = and < 0 ? reason : reason.substring(0, and);
        return STOPPED_PROCESS.matcher(clause).replaceFirst("was").replaceAll("[,;]$", "");
    }
}
