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

/** Says in plain English for which locks threads waited most, where several waits were for one. */
public final class LockMessages {
    private static final int MOST = 3;

    /** A lock for which less than so many parts of all waiting for locks went by is not what threads waited for most. */
    private static final int LEAST_SHARE = 10;

    private LockMessages() {}

    /** The locks that were waited for most, in a sentence each. */
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
     * {@return which lock it was; of a machine with many programs also in whose process}
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
     * {@return behind whom threads waited for a lock for longest, all their waits together, and how much of them the trace tells}
     *
     * @param lock what several waits were for
     */
    public static String holder(LockWaitTotal lock) {
        if (lock.longestOwner() == null) {
            return "who held it, the trace does not tell";
        }
        return (lock.longestOwnerNs() > lock.durNs() / 2 ? "mostly behind " : "behind ")
                + ThreadLabels.name(lock.longestOwner())
                + ", for " + DurationFormat.time(lock.longestOwnerNs()) + " in all"
                + (lock.explainedNs() < lock.durNs()
                        ? ", as far as the trace tells (" + DurationFormat.time(lock.explainedNs()) + " of "
                                + DurationFormat.time(lock.durNs()) + ")"
                        : "");
    }
}
