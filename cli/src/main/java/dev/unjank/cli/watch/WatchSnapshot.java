package dev.unjank.cli.watch;

import dev.unjank.doctor.model.Verdict;
import dev.unjank.record.jvm.BlockedThread;
import dev.unjank.record.session.Recording;
import dev.unjank.record.session.SourceAvailability;
import java.util.List;
import java.util.Set;

/**
 * The state of a watched process at one moment, for {@link WatchScreen}.
 *
 * @param threads the most important threads: lock waiters, then the longest waits of the last minute, then busy threads
 * @param blocked the current lock waits, longest first
 * @param deadlocked the Java thread ids of deadlocked threads among them
 * @param nanos the time of the snapshot, on the clock of {@link System#nanoTime}
 * @param causes the root causes of the incidents of the last minute, largest total first
 * @param worst the longest incidents of the last minute, longest first
 * @param latest the latest incidents, latest first
 * @param sumNs their total duration
 * @param remarks reasons why incidents may be missing, each in one line
 */
public record WatchSnapshot(
        List<ThreadLine> threads,
        List<BlockedThread> blocked,
        Set<Long> deadlocked,
        long nanos,
        List<Cause> causes,
        List<IncidentSnapshot> worst,
        List<IncidentSnapshot> latest,
        long count,
        long sumNs,
        List<SourceAvailability> sources,
        List<String> remarks,
        Recording.Progress progress) {
    /** Keeps its own copies of the collections. */
    public WatchSnapshot {
        threads = List.copyOf(threads);
        blocked = List.copyOf(blocked);
        deadlocked = Set.copyOf(deadlocked);
        causes = List.copyOf(causes);
        worst = List.copyOf(worst);
        latest = List.copyOf(latest);
        sources = List.copyOf(sources);
        remarks = List.copyOf(remarks);
    }

    /**
     * A thread.
     *
     * @param ran the share of the time since the last snapshot in which it was running, 0 to 1
     * @param ready the share in which it was runnable
     * @param waits the number of its incidents in the last minute
     * @param waitedNs their total duration
     */
    public record ThreadLine(
            String name, double ran, double ready, int waits, long waitedNs, boolean isBlocked, String now) {}

    /**
     * A root cause.
     *
     * @param verdict the verdict with the largest total
     * @param text what threads waited for, waiters and owners
     * @param waits the number of its incidents in the last minute
     * @param sumNs their total duration
     */
    public record Cause(Verdict verdict, String text, int waits, long sumNs) {}
}
