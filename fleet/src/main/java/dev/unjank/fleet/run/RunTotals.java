package dev.unjank.fleet.run;

import dev.unjank.fleet.label.LabelFile;
import dev.unjank.fleet.task.TraceResult;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What has been done of a run.
 *
 * @param traces how many traces have been asked, failures among them
 * @param failures how many gave no rows
 * @param skipped how many files were found that are plainly no traces
 * @param bytes how large the traces are
 * @param rows how many rows they gave
 * @param before how many traces an earlier run had done already
 * @param labelled of how many of all these traces a file of labels says something
 */
public record RunTotals(long traces, long failures, long skipped, long bytes, long rows, long before, long labelled)
        implements Serializable {
    private static final long serialVersionUID = 1;
    private static final double MB = 1e6;

    /** Nothing done yet. */
    public static final RunTotals NOTHING = new RunTotals(0, 0, 0, 0, 0, 0, 0);

    /** With one file more. */
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

    /**
     * With one trace more that an earlier run had done.
     *
     * @param trace its name
     * @param labels what a file says of traces
     * @return the sum
     */
    public RunTotals plusBefore(String trace, LabelFile labels) {
        return plus(new RunTotals(0, 0, 0, 0, 0, 1, labels.knows(trace) ? 1 : 0));
    }

    /**
     * Both together.
     *
     * @param others what was done of other traces
     * @return the sum
     */
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

    /**
     * What a person wants to know at the end.
     *
     * @param seconds how long it took
     * @return lines
     */
    public List<String> lines(double seconds) {
        List<String> lines = new ArrayList<>();
        if (before > 0) {
            lines.add(String.format(
                    Locale.ROOT, "%,d %s done before.", before, before == 1 ? "trace was" : "traces were"));
        }
        if (skipped > 0) {
            lines.add(String.format(
                    Locale.ROOT,
                    "%,d %s no %s skipped: see table skipped.",
                    skipped,
                    skipped == 1 ? "file is" : "files are",
                    skipped == 1 ? "trace and was" : "traces and were"));
        }
        lines.add(String.format(
                Locale.ROOT,
                "%,d %s asked, %,d failed: %,d rows in %.1f s (%.1f traces/s, %.1f MB/s).",
                traces,
                traces == 1 ? "trace" : "traces",
                failures,
                rows,
                seconds,
                traces / seconds,
                bytes / seconds / MB));
        return lines;
    }

    /**
     * Where the rows are.
     *
     * @param folder its name, as the person knows it
     * @return a line
     */
    public static String folderLine(String folder) {
        return "They are in " + folder + ", a folder part=… for each part, and in it a Parquet file for each table.";
    }

    /**
     * What a person wants to know of a file of labels, such as that none of them fits.
     *
     * @param file its name, as the person knows it
     * @return a line
     */
    public String labelLine(String file) {
        return labelled == 0
                ? "none of these traces is in " + file
                        + ": its column file must have their names, or the last parts of them"
                : String.format(Locale.ROOT, "%,d of %,d traces have labels in %s.", labelled, traces + before, file);
    }

    /**
     * {@return whether there were no traces at all}
     */
    public boolean isEmpty() {
        return traces + before == 0;
    }

    /**
     * {@return whether there were traces, and nothing could be had from any of them}
     */
    public boolean isInVain() {
        return traces > 0 && failures == traces && before == 0;
    }
}
