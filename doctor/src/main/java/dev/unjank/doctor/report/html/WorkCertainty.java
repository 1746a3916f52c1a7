package dev.unjank.doctor.report.html;

import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.StackSamples;
import dev.unjank.trace.model.Trace;
import java.util.Set;

/** The certainty that a thread had work at a moment without scheduler events. */
final class WorkCertainty {
    /** Categories of slices in which a thread of a virtual machine does nothing. */
    private static final Set<String> IDLENESS = Set.of("park", "wait", "sleep", "io");

    /** The surest first. */
    enum Degree {
        /** The program says what it was at. */
        RECORDED,
        /** A profiler found it running shortly before or after. */
        SAMPLED,
        /** Nothing is known. */
        UNKNOWN,
        /** It waited for work, or for input or output. */
        IDLE
    }

    private final Slices slices;
    private final StackSamples samples;

    WorkCertainty(Trace trace) {
        this.slices = trace.slices();
        this.samples = trace.samples();
    }

    /** {@return what a thread was at} */
    Degree at(int utid, long ts, long from, long to) {
        int innermost = slices.innermostAt(utid, ts);
        if (innermost >= 0) {
            return IDLENESS.contains(slices.category(innermost)) ? Degree.IDLE : Degree.RECORDED;
        }
        for (int row = samples.from(utid, from); row < samples.end(utid) && samples.ts(row) < to; row++) {
            if (samples.isRunning(row)) {
                return Degree.SAMPLED;
            }
        }
        return Degree.UNKNOWN;
    }
}
