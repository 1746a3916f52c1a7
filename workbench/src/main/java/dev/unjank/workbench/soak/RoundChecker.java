package dev.unjank.workbench.soak;

import dev.unjank.workbench.soak.TimedCalls.Barrier;
import dev.unjank.workbench.soak.TimedCalls.Question;
import dev.unjank.workbench.soak.TimedCalls.Removal;
import java.util.List;
import java.util.function.Consumer;

/**
 * Checks an ended {@link LooperLifetime}, and reports failures.
 *
 * <p>Each call has a begin and an end time, so the order of calls that do not overlap is known; overlapping calls are
 * not ordered. A message was
 * <i>chosen</i> by the looper between {@link SentMessage#notChosenBefore} and {@link SentMessage#runStart}: the looper
 * looked at the queue, at the earliest, when it was done with the message before.
 */
final class RoundChecker {
    /** The minimum difference of two times for their order to be reliable: CPUs may read the clock slightly early. */
    private static final long CERTAIN_NANOS = 2_000;

    private static final long NANOS_PER_MILLI = 1_000_000;

    /** The maximum number of reported order failures, since one wrong message may be out of order with all others. */
    private static final int ENOUGH = 10;

    private final LooperLifetime generation;
    private final List<SentMessage> all;
    private final Consumer<String> findings;

    RoundChecker(LooperLifetime generation, List<SentMessage> all, Consumer<String> findings) {
        this.generation = generation;
        this.all = all;
        this.findings = findings;
    }

    private static boolean before(long end, long start) {
        return end < start - CERTAIN_NANOS;
    }

    void judge() {
        generation.mistakes.forEach(findings);
        all.forEach(this::judgeOne);
        judgeOrder();
        generation.barriers.forEach(this::judgeBarrier);
        generation.questions.forEach(this::judgeQuestion);
    }

    // ---- run, removed, or dropped

    private void judgeOne(SentMessage sent) {
        if (!sent.accepted) {
            if (sent.runs > 0) {
                findings.accept("refused, but run: " + sent);
            }
            if (before(sent.sendEnd, generation.quitStart)) {
                findings.accept("refused before the quit: " + sent);
            }
            return;
        }
        if (before(generation.quitEnd, sent.sendStart)) {
            findings.accept("accepted after the quit: " + sent);
        }
        if (sent.cancelled && sent.runs > 0) {
            findings.accept("cancelled, but run: " + sent);
        }
        boolean maybeRemoved = sent.cancelled;
        for (Removal removal : generation.removals) {
            if (removal.match().matches(sent) && removal.end() > sent.sendStart) {
                maybeRemoved = true;
                boolean covers = removal.thread() == sent.sender
                        ? removal.start() >= sent.sendEnd
                        : before(sent.sendEnd, removal.start());
                if (covers && (sent.pending || (sent.runs > 0 && before(removal.end(), sent.notChosenBefore)))) {
                    findings.accept("removed by " + removal + ", but still there: " + sent);
                }
            }
        }
        if (sent.runs == 0 && !sent.pending && !maybeRemoved && !mayBeDropped(sent)) {
            findings.accept("lost: " + sent + ", quit at " + generation.quitStart);
        }
        if (sent.runs > 0 && !generation.quitSafely && before(generation.quitEnd, sent.notChosenBefore)) {
            findings.accept("run after quit at " + generation.quitStart + ".." + generation.quitEnd + ": " + sent);
        }
        if (sent.runs > 0 && sent.when > Math.floorDiv(generation.quitEnd, NANOS_PER_MILLI)) {
            findings.accept("run, though due after the quit at " + generation.quitEnd + ": " + sent);
        }
    }

    private boolean mayBeDropped(SentMessage sent) {
        if (generation.settled) {
            return false; // the removal began before the quit
        }
        boolean wasDue =
                sent.when * NANOS_PER_MILLI < generation.quitStart && before(sent.sendEnd, generation.quitStart);
        return !generation.quitSafely || !wasDue || mayHaveBeenStalled(sent);
    }

    private boolean mayHaveBeenStalled(SentMessage sent) {
        return !sent.asynchronous
                && generation.barriers.stream().anyMatch(barrier -> barrier.removeEnd() > generation.quitStart);
    }

    // ---- order

    /**
     * Checks that a pending message that is due earlier than a chosen one, and not blocked by a barrier, runs before
     * it. Each message is compared with those that ran while it was pending: half of the messages of a bulk operation,
     * of which a round has one.
     */
    private void judgeOrder() {
        List<SentMessage> log = generation.log;
        int found = 0;
        for (int later = 1; later < log.size() && found < ENOUGH; later++) {
            SentMessage second = log.get(later);
            for (int i = later - 1; i >= 0 && before(second.sendEnd, log.get(i).runStart); i--) {
                SentMessage first = log.get(i);
                boolean wasThere = before(second.sendEnd, first.notChosenBefore);
                boolean equallyFree = second.asynchronous || !first.asynchronous;
                if (wasThere && equallyFree && goesBefore(second, first)) {
                    found++;
                    findings.accept("out of order: " + first + " went before " + second);
                }
            }
        }
    }

    /**
     * Whether the order is certain: by time, and for equal times by the order of sending, or its reverse at the front.
     */
    private static boolean goesBefore(SentMessage a, SentMessage b) {
        if (a.when != b.when) {
            return a.when < b.when;
        }
        return a.isFront() ? wasSentBefore(b, a) : wasSentBefore(a, b);
    }

    private static boolean wasSentBefore(SentMessage a, SentMessage b) {
        return a.sender == b.sender ? a.number < b.number : before(a.sendEnd, b.sendStart);
    }

    // ---- barriers and queries

    private void judgeBarrier(Barrier barrier) {
        long latestWhen = Math.floorDiv(barrier.postEnd(), NANOS_PER_MILLI);
        for (SentMessage sent : generation.log) {
            boolean chosenBehind =
                    before(barrier.postEnd(), sent.notChosenBefore) && before(sent.runStart, barrier.removeStart());
            if (chosenBehind && !sent.asynchronous && sent.when > latestWhen) {
                findings.accept("passed " + barrier + ": " + sent);
            }
        }
    }

    private void judgeQuestion(Question question) {
        boolean possible = false;
        for (SentMessage sent : all) {
            if (!sent.accepted || !question.match().matches(sent)) {
                continue;
            }
            boolean leftAfter = sent.pending || (sent.runs > 0 && before(question.end(), sent.notChosenBefore));
            if (!question.answer() && leftAfter && before(sent.sendEnd, question.start())) {
                findings.accept("not found by " + question + ": " + sent);
            }
            boolean leftBefore = (sent.runs > 0 && before(sent.runStart, question.start()));
            possible |= sent.sendStart < question.end() && !leftBefore;
        }
        if (question.answer() && !possible) {
            findings.accept("found a missing message: " + question);
        }
    }
}
