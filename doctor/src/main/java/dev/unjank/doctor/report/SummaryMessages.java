package dev.unjank.doctor.report;

import dev.unjank.doctor.find.wait.WaitSource;
import dev.unjank.doctor.judge.SummaryBuilder;
import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.Summary;
import dev.unjank.doctor.model.Verdict;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The summary of a diagnosis: totals of waits, verdicts and locks. */
public final class SummaryMessages {
    private SummaryMessages() {}

    /** The summary, a sentence or two per subject. */
    public static List<String> of(Diagnosis diagnosis) {
        List<String> sentences = new ArrayList<>();
        sentences.add(incidents(diagnosis));
        String stops = PauseMessages.share(diagnosis);
        if (!stops.isEmpty()) {
            sentences.add(stops);
        }
        Summary summary = diagnosis.summary();
        if (summary.lockWaits() > 0) {
            sentences.add(Messages.of(
                    "totals.locks",
                    MessageCatalogue.summarizedThreads(diagnosis),
                    Messages.times(summary.lockWaits()),
                    DurationFormat.time(summary.lockWaitNs()),
                    DurationFormat.time(summary.longestLockWaitNs()),
                    monitors(summary),
                    inversions(summary.inversions())));
        }
        return sentences;
    }

    /** The share of what runtimes and published comparisons call monitor contention, unless it is all of it. */
    private static String monitors(Summary summary) {
        if (summary.monitorWaits() == summary.lockWaits()) {
            return "";
        }
        return summary.monitorWaits() == 0
                ? Messages.of("totals.noMonitors")
                : Messages.of(
                        "totals.monitors",
                        Messages.times(summary.monitorWaits()),
                        DurationFormat.time(summary.monitorWaitNs()));
    }

    private static String incidents(Diagnosis diagnosis) {
        Diagnosis.Search search = diagnosis.search();
        List<Incident> found = diagnosis.incidents();
        long leastNs = search.options().minDuration().toNanos();
        String least = DurationFormat.roundTime(leastNs);
        List<String> sentences = new ArrayList<>();
        int shorter = search.waits() - found.size();
        if (!found.isEmpty()) {
            long sum = found.stream()
                    .mapToLong(incident -> incident.rootWait().durNs())
                    .sum();
            String waits = Messages.count("wait", found.size());
            String time = DurationFormat.time(sum);
            sentences.add(
                    leastNs == 0
                            ? Messages.of("totals.waits", waits, time, verdicts(diagnosis))
                            : Messages.of("totals.waitsOfAtLeast", waits, least, time, verdicts(diagnosis)));
            if (shorter > 0) {
                sentences.add(Messages.of("totals.leftOut", Messages.count("shorterOne", shorter), whyShort(leastNs)));
            }
        } else if (search.waits() > 0) {
            sentences.add(Messages.of(
                    "totals.allShorter",
                    Messages.count("wait", search.waits()),
                    DurationFormat.time(search.longestNs()),
                    least));
        } else {
            sentences.add(noWait(diagnosis));
        }
        boolean isInMainFinding = diagnosis.mainFinding().incident() == null;
        if (search.waitsOfOtherThreads() > 0 && !isInMainFinding) {
            sentences.add(Messages.of("totals.otherWaits", least, Messages.times(search.waitsOfOtherThreads())));
        } else if (search.waitsOfOtherThreads() == 0 && search.lockWaitsOfOtherThreads() > 0) {
            sentences.add(Messages.of("totals.otherLockWaits", Messages.times(search.lockWaitsOfOtherThreads())));
        }
        return String.join(" ", sentences);
    }

    private static String noWait(Diagnosis diagnosis) {
        Diagnosis.Search search = diagnosis.search();
        boolean nothing =
                diagnosis.unreadParts().isEmpty() && diagnosis.summary().missedFrames() == 0;
        String found = Messages.of(nothing ? "totals.nothing" : "totals.noWait");
        String where = search.waitsOfOtherThreads() > 0
                ? Messages.of("totals.ofDefaultThreads", found)
                : Messages.of("totals.ofTrace", found);
        return search.lockWaitsOfOtherThreads() > 0 || diagnosis.platform().isJvm()
                ? where
                : Messages.of("totals.recordLocks", where);
    }

    /** The options can include some short waits, and not all. */
    private static String whyShort(long leastNs) {
        String floor = DurationFormat.roundTime(WaitSource.MIN_WAIT_NS);
        return leastNs >= WaitSource.MIN_WAIT_NS
                ? "--min-ms"
                : Messages.of(leastNs == 0 ? "totals.floor" : "totals.floorAndOption", floor);
    }

    /**
     * The number of waits by verdict; of inversions also the number for locks, since only these are in the sentence
     * after.
     */
    private static String verdicts(Diagnosis diagnosis) {
        List<String> counts = new ArrayList<>();
        for (Summary.Total total : SummaryBuilder.totals(diagnosis.incidents())) {
            String count = total.incidents() + " " + total.verdict();
            long onLocks = diagnosis.incidents().stream()
                    .filter(incident -> incident.verdict() == total.verdict()
                            && incident.rootWait().kind().isLock())
                    .count();
            boolean mixed = total.verdict() == Verdict.PRIORITY_INVERSION && onLocks < total.incidents();
            counts.add(
                    mixed
                            ? Messages.of(
                                    "totals.ofLocks", count, onLocks == 0 ? Messages.of("workload.noWait") : onLocks)
                            : count);
        }
        return String.join(", ", counts);
    }

    private static String inversions(Summary.@Nullable Inversions inversions) {
        if (inversions == null) {
            return Messages.of("inversions.notRecorded");
        }
        List<String> lengths = new ArrayList<>();
        addLength(lengths, inversions.from1To10Ms(), "inversions.from1To10Ms");
        addLength(lengths, inversions.from10To16Ms(), "inversions.from10To16Ms");
        addLength(lengths, inversions.over16Ms(), "inversions.over16Ms");
        return lengths.isEmpty()
                ? Messages.of("inversions.none")
                : Messages.of(
                        "inversions.some", String.join(", ", lengths), DurationFormat.time(inversions.longestNs()));
    }

    private static void addLength(List<String> lengths, int count, String key) {
        if (count > 0) {
            lengths.add(Messages.of(key, count));
        }
    }
}
