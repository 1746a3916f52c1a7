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
            if (sentences.size() < MOST && lock.durNs() * LEAST_SHARE >= all) {
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
     * {@return who had a lock for most of the time that others waited for it}
     *
     * @param lock what several waits were for
     */
    public static String holder(LockTotal lock) {
        if (lock.holder() == null) {
            return "who held it, the trace does not tell";
        }
        return "longest" + (lock.toldNs() * 2 < lock.durNs() ? ", as far as the trace tells," : "") + " behind "
                + ThreadWords.name(lock.holder()) + " (" + TimeWords.time(lock.heldNs()) + ")";
    }
}
