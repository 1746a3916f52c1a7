package dev.unjank.doctor.report;

import dev.unjank.doctor.judge.LockWaitTotal;
import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.Platform;
import dev.unjank.doctor.model.Wait;
import dev.unjank.trace.text.EnglishCounts;
import dev.unjank.trace.text.TerminalText;
import java.util.ArrayList;
import java.util.List;

/** Messages for the locks with the longest total wait time. */
public final class LockMessages {
    private static final int MOST = 3;

    /** A lock is listed if its wait time is at least this fraction of all lock wait time. */
    private static final int LEAST_SHARE = 10;

    private LockMessages() {}

    /** {@return a line per lock} */
    public static List<String> of(Diagnosis diagnosis) {
        long all = 0;
        for (Incident incident : diagnosis.incidents()) {
            all += incident.rootWait().kind().isLock() ? incident.rootWait().durNs() : 0;
        }
        List<String> sentences = new ArrayList<>();
        for (LockWaitTotal lock : LockWaitTotal.of(diagnosis.incidents())) {
            if (sentences.size() < MOST && lock.durNs() >= all / LEAST_SHARE) {
                sentences.add(EnglishCounts.of(lock.waits(), "wait") + " for " + name(lock, diagnosis.platform()) + ": "
                        + DurationFormat.time(lock.durNs()) + " in all, at most "
                        + DurationFormat.time(lock.longest().rootWait().durNs()) + "; " + holder(lock) + ".");
            }
        }
        return sentences;
    }

    /**
     * {@return the name of a lock, with its process if the trace has several}
     *
     * @param lock what several waits were for
     * @param platform what the trace is of
     */
    public static String name(LockWaitTotal lock, Platform platform) {
        Wait wait = lock.longest().rootWait();
        String process = wait.thread().process();
        return WaitMessages.what(wait)
                + (process == null || platform.isJvm() ? "" : " in " + TerminalText.printableStart(process));
    }

    /**
     * {@return the longest owner of a lock, and the share of the wait time with a recorded owner}
     *
     * @param lock what several waits were for
     */
    public static String holder(LockWaitTotal lock) {
        if (lock.longestOwner() == null) {
            return "owner not recorded";
        }
        return (lock.longestOwnerNs() > lock.durNs() / 2 ? "mostly owned by " : "longest owner ")
                + ThreadLabels.name(lock.longestOwner())
                + ", for " + DurationFormat.time(lock.longestOwnerNs()) + " in all"
                + (lock.explainedNs() < lock.durNs()
                        ? "; owners are recorded for " + DurationFormat.time(lock.explainedNs()) + " of "
                                + DurationFormat.time(lock.durNs())
                        : "");
    }
}
