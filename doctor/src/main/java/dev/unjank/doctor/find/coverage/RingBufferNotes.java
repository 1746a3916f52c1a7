package dev.unjank.doctor.find.coverage;

import dev.unjank.doctor.find.activity.SliceNameFilter;
import dev.unjank.doctor.report.DurationFormat;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.Trace;
import java.util.ArrayList;
import java.util.List;

/**
 * What recorders say of the rings that they have kept. Of a wait it is known when it ends, so one that ended in the ring is there as a
 * whole: the trace then begins long before all that is told of other things, and is longer than the ring.
 */
public final class RingBufferNotes {
    private static final String NAME = "ring";
    private static final String CATEGORY = "unjank";
    private static final String KEPT = "debug.kept ns";

    /** Nobody asks where less has come from. */
    private static final long LEAST_NS = 100_000_000;

    private RingBufferNotes() {}

    /** {@return a line for each ring that is shorter than the trace} */
    public static List<String> warnings(Trace trace) {
        List<String> warnings = new ArrayList<>();
        Slices slices = trace.slices();
        SliceNameFilter test = new SliceNameFilter(trace, NAME::equals);
        int end = slices.size();
        for (int row = test.next(slices.firstAsync(), end); row < end; row = test.next(row + 1, end)) {
            long kept = slices.category(row).equals(CATEGORY) ? trace.args().number(row, KEPT, 0) : 0;
            if (kept > 0 && slices.ts(row) - kept - trace.startNs() >= LEAST_NS) {
                warnings.add(
                        "the recorder kept the last " + DurationFormat.time(kept)
                                + " (a ring); of the time before that the trace has some waits, and not what others did meanwhile");
            }
        }
        return warnings;
    }
}
