package dev.unjank.trace.convert;

import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.write.TrackEventWriter;
import dev.unjank.trace.write.TrackWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What a reader of a recording was warned of, a reader of its copy in another format is to know, too. It is told by marks on the first
 * process's track where the recording begins and ends, since the copy may have no event there.
 */
public final class ConversionNotes {
    private static final String CATEGORY = "unjank";
    private static final String BEGIN = "converted: begin";
    private static final String END = "converted: end";
    private static final String WARNING = "warning ";
    private static final String KEY = "debug." + WARNING;

    private ConversionNotes() {}

    /** Writes them. */
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
     * What the reader of the original was warned of.
     *
     * @param trace a trace that may be a copy
     * @return a line each; empty if it is none, or there was nothing
     */
    public static List<String> warnings(Trace trace) {
        List<String> warnings = new ArrayList<>();
        Slices slices = trace.slices();
        for (int row = slices.firstAsync(); row < slices.size(); row++) {
            if (slices.name(row).equals(BEGIN)) {
                for (int arg = trace.args().first(row); arg < trace.args().end(row); arg++) {
                    String warning = trace.args().text(arg);
                    if (warning != null && trace.args().key(arg).startsWith(KEY)) {
                        warnings.add(warning);
                    }
                }
            }
        }
        return warnings;
    }
}
