package dev.unjank.doctor.find.coverage;

import dev.unjank.doctor.model.Warning;
import dev.unjank.trace.model.SliceNameFilter;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.Trace;
import java.util.ArrayList;
import java.util.List;

/**
 * The notes of recorders on their ring buffers. The end of a wait is recorded, so a wait that ended within the buffer
 * is in the trace as a whole: the trace then begins long before the other data, and is longer than the buffer.
 */
public final class RingBufferNotes {
    private static final String NAME = "ring";
    private static final String CATEGORY = "unjank";
    private static final String KEPT = "debug.kept ns";

    /** A shorter time before the buffer needs no warning. */
    private static final long LEAST_NS = 100_000_000;

    private RingBufferNotes() {}

    /** {@return a warning for each ring buffer that is shorter than the trace} */
    public static List<Warning> warnings(Trace trace) {
        List<Warning> warnings = new ArrayList<>();
        Slices slices = trace.slices();
        new SliceNameFilter(trace, NAME::equals).forEachAsync(row -> {
            long kept = slices.category(row).equals(CATEGORY) ? trace.args().number(row, KEPT, 0) : 0;
            if (kept > 0 && slices.ts(row) - kept - trace.startNs() >= LEAST_NS) {
                warnings.add(new Warning.RingBufferShort(kept));
            }
        });
        return warnings;
    }
}
