package dev.unjank.doctor.report;

import dev.unjank.doctor.judge.LockWaitTotal;
import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.Platform;
import dev.unjank.doctor.model.Wait;
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
                sentences.add(Messages.of(
                        "lock.total",
                        Messages.count("wait", lock.waits()),
                        name(lock, diagnosis.platform()),
                        DurationFormat.time(lock.durNs()),
                        DurationFormat.time(lock.longest().rootWait().durNs()),
                        holder(lock)));
            }
        }
        return sentences;
    }

    /** {@return the name of a lock, with its process if the trace has several} */
    public static String name(LockWaitTotal lock, Platform platform) {
        Wait wait = lock.longest().rootWait();
        String process = wait.thread().process();
        String name = WaitMessages.what(wait);
        return process == null || platform.isJvm()
                ? name
                : Messages.of("component.in", name, TerminalText.printableStart(process));
    }

    /** {@return the longest owner of a lock, and the share of the wait time with a recorded owner} */
    public static String holder(LockWaitTotal lock) {
        if (lock.longestOwner() == null) {
            return Messages.of("lock.noOwner");
        }
        String owner = Messages.of(
                lock.longestOwnerNs() > lock.durNs() / 2 ? "lock.mainOwner" : "lock.longestOwner",
                ThreadLabels.name(lock.longestOwner()),
                DurationFormat.time(lock.longestOwnerNs()));
        return lock.explainedNs() >= lock.durNs()
                ? owner
                : Messages.of(
                        "lock.partlyRecorded",
                        owner,
                        DurationFormat.time(lock.explainedNs()),
                        DurationFormat.time(lock.durNs()));
    }
}
