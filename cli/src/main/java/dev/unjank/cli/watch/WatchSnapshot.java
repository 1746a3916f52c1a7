package dev.unjank.cli.watch;

import dev.unjank.record.jvm.BlockedThread;
import dev.unjank.record.session.Recording;
import dev.unjank.record.session.SourceAvailability;
import java.util.List;
import java.util.Set;

/**
 * How things stand with a process at one moment: what a {@link WatchScreen} shows.
 *
 * @param threads those that matter, most of all first: who waits now, who waited most in the last minute, who is busy
 * @param blocked who waits for whose lock, the longest first
 * @param deadlocked those among them who wait for each other in a circle, by their numbers in Java
 * @param nanos the moment, by {@link System#nanoTime}
 * @param worst the longest incidents of the last minute, the longest first
 * @param latest the last incidents, the last first
 * @param count how many there were altogether
 * @param sumNs how long they were altogether
 * @param sources what is recorded and what is not
 * @param remarks why less is told than one might think, each in one line
 * @param progress how much has been recorded
 */
public record WatchSnapshot(
        List<ThreadLine> threads,
        List<BlockedThread> blocked,
        Set<Long> deadlocked,
        long nanos,
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
        worst = List.copyOf(worst);
        latest = List.copyOf(latest);
        sources = List.copyOf(sources);
        remarks = List.copyOf(remarks);
    }

    /**
     * A thread.
     *
     * @param name its name
     * @param ran the share of the time since the last view in which it ran, 0 to 1
     * @param ready the share in which it was ready to run and had no CPU
     * @param waits how many incidents it had in the last minute
     * @param waitedNs how long these were
     * @param now what it is doing, in a few words
     */
    public record ThreadLine(String name, double ran, double ready, int waits, long waitedNs, String now) {}
}
