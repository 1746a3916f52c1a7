package dev.unjank.doctor.report;

import dev.unjank.doctor.find.wait.WaitSource;
import dev.unjank.doctor.judge.SummaryBuilder;
import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.Summary;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.trace.text.EnglishCounts;
import java.util.ArrayList;
import java.util.List;

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
            sentences.add(MessageCatalogue.summarizedThreads(diagnosis) + " waited for contended locks "
                    + EnglishCounts.times(summary.lockWaits()) + ", " + DurationFormat.time(summary.lockWaitNs())
                    + " in all, at most "
                    + DurationFormat.time(summary.longestLockWaitNs()) + monitors(summary) + ". "
                    + inversions(summary.inversions()));
        }
        return sentences;
    }

    /** How much of it was what runtimes and published comparisons call monitor contention, if not all was. */
    private static String monitors(Summary summary) {
        return summary.monitorWaits() == summary.lockWaits()
                ? ""
                : "; monitor contention among these: "
                        + (summary.monitorWaits() == 0
                                ? "none"
                                : EnglishCounts.times(summary.monitorWaits()) + ", "
                                        + DurationFormat.time(summary.monitorWaitNs()));
    }

    private static String incidents(Diagnosis diagnosis) {
        Diagnosis.Search search = diagnosis.search();
        List<Incident> found = diagnosis.incidents();
        long leastNs = search.options().minDuration().toNanos();
        String least = DurationFormat.roundTime(leastNs);
        String text;
        if (!found.isEmpty()) {
            long sum = found.stream()
                    .mapToLong(incident -> incident.rootWait().durNs())
                    .sum();
            text = EnglishCounts.of(found.size(), "wait") + (leastNs == 0 ? "" : " of at least " + least) + ", "
                    + DurationFormat.time(sum) + " in all: " + verdicts(diagnosis) + ".";
        } else if (search.waits() > 0) {
            text = "Nothing to diagnose: the longest of " + EnglishCounts.of(search.waits(), "wait") + " was "
                    + DurationFormat.time(search.longestNs()) + ", shorter than " + least + ".";
        } else {
            text = (diagnosis.unreadParts().isEmpty() && diagnosis.summary().missedFrames() == 0
                            ? "Nothing to diagnose: no wait was found"
                            : "No wait was found")
                    + (search.waitsOfOtherThreads() > 0
                            ? " of the threads selected by default (--thread all selects all)."
                            : ".")
                    + (search.lockWaitsOfOtherThreads() > 0
                                    || diagnosis.platform().isJvm()
                            ? ""
                            : " Android records waits for locks with the atrace category dalvik.");
        }
        int shorter = search.waits() - found.size();
        if (!found.isEmpty() && shorter > 0) {
            text += " " + EnglishCounts.of(shorter, "shorter one") + " left out (" + whyShort(leastNs) + ").";
        }
        boolean isInMainFinding = diagnosis.mainFinding().incident() == null;
        if (search.waitsOfOtherThreads() > 0 && !isInMainFinding) {
            text += " Other threads waited for at least " + least + " "
                    + EnglishCounts.times(search.waitsOfOtherThreads()) + " (--thread all).";
        } else if (search.waitsOfOtherThreads() == 0 && search.lockWaitsOfOtherThreads() > 0) {
            text += " Other threads waited for locks " + EnglishCounts.times(search.lockWaitsOfOtherThreads())
                    + " (--thread all).";
        }
        return text;
    }

    /** The options can include some short waits, and not all. */
    private static String whyShort(long leastNs) {
        String floor = DurationFormat.roundTime(WaitSource.MIN_WAIT_NS);
        return leastNs >= WaitSource.MIN_WAIT_NS
                ? "--min-ms"
                : "the minimum for a reply, a CPU, the kernel, a message or a pause is " + floor
                        + (leastNs == 0 ? "" : "; --min-ms for others");
    }

    /** How often each verdict was given; of inversions also how many were of locks, since only these are in the sentence after. */
    private static String verdicts(Diagnosis diagnosis) {
        List<String> counts = new ArrayList<>();
        for (Summary.Total total : SummaryBuilder.totals(diagnosis.incidents())) {
            String count = total.incidents() + " " + total.verdict();
            long onLocks = diagnosis.incidents().stream()
                    .filter(incident -> incident.verdict() == total.verdict()
                            && incident.rootWait().kind().isLock())
                    .count();
            boolean mixed = total.verdict() == Verdict.PRIORITY_INVERSION && onLocks < total.incidents();
            counts.add(mixed ? count + " (" + (onLocks == 0 ? "none" : onLocks) + " of a lock)" : count);
        }
        return String.join(", ", counts);
    }

    private static String inversions(Summary.Inversions inversions) {
        List<String> lengths = new ArrayList<>();
        addLength(lengths, inversions.from1To10Ms(), "of 1 to 10 ms");
        addLength(lengths, inversions.from10To16Ms(), "of 10 to 16 ms");
        addLength(lengths, inversions.over16Ms(), "of more than 16 ms");
        return lengths.isEmpty()
                ? "None of these was a priority inversion of 1 ms or more."
                : "Priority inversions among these: " + String.join(", ", lengths) + "; the longest "
                        + DurationFormat.time(inversions.longestNs()) + ".";
    }

    private static void addLength(List<String> lengths, int count, String length) {
        if (count > 0) {
            lengths.add(count + " " + length);
        }
    }
}
