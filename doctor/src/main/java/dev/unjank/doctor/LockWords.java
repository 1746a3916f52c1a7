package dev.unjank.doctor;

import dev.unjank.trace.Counts;
import java.util.ArrayList;
import java.util.List;

/** Says in plain English for which locks threads waited most, where several waits were for one. */
public final class LockWords {
    private static final int MOST = 3;

    /** A lock for which less than so many parts of all waiting for locks went by is not what threads waited for most. */
    private static final int LEAST_SHARE = 10;

    private LockWords() {}

    /** The locks that were waited for most, in a sentence each. */
    static List<String> of(Diagnosis diagnosis) {
        long all = 0;
        for (Incident incident : diagnosis.incidents()) {
            all += incident.tree().kind().isLock() ? incident.tree().durNs() : 0;
        }
        List<String> sentences = new ArrayList<>();
        for (LockTotal lock : LockTotal.of(diagnosis.incidents())) {
            if (sentences.size() < MOST && lock.durNs() >= all / LEAST_SHARE) {
                sentences.add(Counts.of(lock.waits(), "wait") + " for " + name(lock, diagnosis.platform()) + ": "
                        + TimeWords.time(lock.durNs()) + " in all, at most "
                        + TimeWords.time(lock.longest().tree().durNs()) + "; " + holder(lock) + ".");
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
    public static String name(LockTotal lock, Platform platform) {
        Wait wait = lock.longest().tree();
        String process = wait.thread().process();
        return WaitWords.what(wait) + (process == null || platform.isJvm() ? "" : " in " + Page.printable(process));
    }

    /**
     * {@return behind whom threads waited for a lock for longest, all their waits together, and how much of them the trace tells}
     *
     * @param lock what several waits were for
     */
    public static String holder(LockTotal lock) {
        if (lock.holder() == null) {
            return "who held it, the trace does not tell";
        }
        return (lock.heldNs() > lock.durNs() / 2 ? "mostly behind " : "behind ") + ThreadWords.name(lock.holder())
                + ", for " + TimeWords.time(lock.heldNs()) + " in all"
                + (lock.toldNs() < lock.durNs()
                        ? ", as far as the trace tells (" + TimeWords.time(lock.toldNs()) + " of "
                                + TimeWords.time(lock.durNs()) + ")"
                        : "");
    }
}
