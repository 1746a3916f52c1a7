package dev.unjank.locks;

import java.lang.System.Logger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Detects deadlocks: cycles of threads that wait for each other. The thread that closes the cycle finds it, since it
 * publishes its waiter before it searches. The deadlock is reported once, and the threads keep waiting: only the
 * program can decide which one gives up.
 */
final class DeadlockDetector {
    private static final Logger LOG = System.getLogger("dev.unjank.locks");

    private DeadlockDetector() {}

    /**
     * Reports the deadlock that includes the given thread, if there is one. The cycle is walked twice: threads with the
     * same waiters both times have not continued in between, so there was a moment at which all of them waited.
     */
    static void check(LockThread me) {
        List<Waiter> cycle = cycle(me);
        if (!cycle.isEmpty()
                && cycle.stream().allMatch(waiter -> waiter.isForever)
                && cycle.equals(cycle(me))
                && isFirstReport(cycle)) {
            LOG.log(Logger.Level.ERROR, describe(cycle));
        }
    }

    /** Returns whether the cycle has not been reported yet. Several threads may close it at the same time. */
    private static synchronized boolean isFirstReport(List<Waiter> cycle) {
        Waiter first = Collections.min(cycle, Comparator.comparingLong(waiter -> waiter.lockThread.id));
        boolean isFirst = !first.isReported;
        first.isReported = true;
        return isFirst;
    }

    /**
     * Returns the waiters of the cycle, beginning with the given thread's waiter; empty if the thread is in no cycle.
     */
    private static List<Waiter> cycle(LockThread me) {
        List<Waiter> path = new ArrayList<>();
        return reaches(me, me, path, new HashSet<>()) ? path : List.of();
    }

    /**
     * Searches for a thread along the chain: the holders of the lock that {@code from} waits for, the holders of the
     * locks that they wait for, and so on.
     */
    private static boolean reaches(LockThread goal, LockThread from, List<Waiter> path, Set<LockThread> seen) {
        Waiter waiter = from.waiting;
        if (waiter == null || !waiter.isWaiting() || !seen.add(from)) {
            return false;
        }
        path.add(waiter);
        for (LockThread holder : waiter.sync.holders()) {
            if (holder == goal || reaches(goal, holder, path, seen)) {
                return true;
            }
        }
        path.removeLast();
        return false;
    }

    private static String describe(List<Waiter> cycle) {
        return "deadlock: "
                + cycle.stream()
                        .map(waiter -> VipSync.name(waiter.lockThread.get()) + " waits for " + waiter.sync)
                        .collect(Collectors.joining(", "));
    }
}
