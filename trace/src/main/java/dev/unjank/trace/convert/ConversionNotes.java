package dev.unjank.trace.convert;

import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.model.TraceNote;
import dev.unjank.trace.write.TrackEventWriter;
import dev.unjank.trace.write.TrackWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Carries the warnings of a trace over to its conversion: marks on the first process's track at the start and end of
 * the trace, with the warnings as args.
 */
public final class ConversionNotes {
    private static final String CATEGORY = "unjank";
    private static final String BEGIN = "converted: begin";
    private static final String END = "converted: end";
    private static final String WARNING = "warning ";
    private static final String KEY = "debug." + WARNING;

    private ConversionNotes() {}

    /** Writes the marks. */
    static void write(Trace trace, TrackEventWriter events) throws IOException {
        boolean hasProcess = trace.processes().size() > 0;
        long track = hasProcess ? TrackWriter.ofProcess(trace.processes().pid(0)) : 0;
        TrackEventWriter.Event begin = events.instant(trace.startNs(), track, CATEGORY, BEGIN);
        int number = 0;
        for (String warning : trace.warnings()) {
            begin.arg(WARNING + ++number, warning);
        }
        begin.write();
        events.instant(trace.endNs(), track, CATEGORY, END).write();
    }

    /**
     * {@return the warnings of the original trace, as they were written; empty if it is not a conversion, or there were
     * no warnings}
     *
     * @param trace a trace that may be a conversion
     */
    public static List<TraceNote> warnings(Trace trace) {
        List<TraceNote> warnings = new ArrayList<>();
        Slices slices = trace.slices();
        for (int row = slices.firstAsync(); row < slices.size(); row++) {
            if (slices.name(row).equals(BEGIN)) {
                for (int arg = trace.args().first(row); arg < trace.args().end(row); arg++) {
                    String warning = trace.args().text(arg);
                    if (warning != null && trace.args().key(arg).startsWith(KEY)) {
                        warnings.add(TraceNote.of("quoted", warning));
                    }
                }
            }
        }
        return warnings;
    }
}
