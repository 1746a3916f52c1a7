package dev.unjank.fleet.run;

import dev.unjank.fleet.label.LabelFile;
import dev.unjank.fleet.task.TraceResult;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The totals of a run.
 *
 * @param traces processed traces, including failures
 * @param bytes the size of the traces
 */
public record RunTotals(long traces, long failures, long skipped, long bytes, long rows, long before, long labelled)
        implements Serializable {
    private static final long serialVersionUID = 1;
    private static final double MB = 1e6;

    /** The totals before the first trace. */
    public static final RunTotals NOTHING = new RunTotals(0, 0, 0, 0, 0, 0, 0);

    /** These totals and one file. */
    RunTotals plus(TraceResult outcome, LabelFile labels) {
        return outcome.isSkipped()
                ? plus(new RunTotals(0, 0, 1, 0, 0, 0, 0))
                : plus(new RunTotals(
                        1,
                        outcome.failure() == null ? 0 : 1,
                        0,
                        outcome.bytes(),
                        outcome.rows(),
                        0,
                        labels.knows(outcome.trace()) ? 1 : 0));
    }

    /** These totals and one trace of an earlier run. */
    public RunTotals plusBefore(String trace, LabelFile labels) {
        return plus(new RunTotals(0, 0, 0, 0, 0, 1, labels.knows(trace) ? 1 : 0));
    }

    /** The sum of two totals. */
    public RunTotals plus(RunTotals others) {
        return new RunTotals(
                traces + others.traces,
                failures + others.failures,
                skipped + others.skipped,
                bytes + others.bytes,
                rows + others.rows,
                before + others.before,
                labelled + others.labelled);
    }

    /** The lines of the summary at the end of a run. */
    public List<String> lines(double seconds) {
        List<String> lines = new ArrayList<>();
        if (before > 0) {
            lines.add(String.format(
                    Locale.ROOT, "%,d %s already processed.", before, before == 1 ? "trace was" : "traces were"));
        }
        if (skipped > 0) {
            lines.add(String.format(
                    Locale.ROOT,
                    "Skipped %,d %s: see table skipped.",
                    skipped,
                    skipped == 1 ? "file that is not a trace" : "files that are not traces"));
        }
        lines.add(String.format(
                Locale.ROOT,
                "Processed %,d %s, %,d failed: %,d rows in %.1f s (%.1f traces/s, %.1f MB/s).",
                traces,
                traces == 1 ? "trace" : "traces",
                failures,
                rows,
                seconds,
                traces / seconds,
                bytes / seconds / MB));
        return lines;
    }

    /** The line on the output folder, named as the user gave it. */
    public static String folderLine(String folder) {
        return "Wrote " + folder + ": one folder part=N per part, with a Parquet file per table.";
    }

    /** The line on labels from a file, named as the user gave it. */
    public String labelLine(String file) {
        return labelled == 0
                ? "no trace has labels in " + file
                        + ": its column \"file\" must contain the traces' paths, or the ends of the paths"
                : String.format(Locale.ROOT, "%,d of %,d traces have labels in %s.", labelled, traces + before, file);
    }

    /** {@return whether there were no traces} */
    public boolean isEmpty() {
        return traces + before == 0;
    }

    /** {@return whether there were traces and all failed} */
    public boolean isInVain() {
        return traces > 0 && failures == traces && before == 0;
    }
}
