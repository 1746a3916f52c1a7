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
 * publishes its waiter before it searches. It reports the deadlock once, and waits on: only the program can decide what
 * to give up.
 */
final class DeadlockDetector {
    private static final Logger LOG = System.getLogger("dev.unjank.locks");

    private DeadlockDetector() {}

    /**
     * Reports the deadlock that a thread is part of. The cycle is walked twice: threads with the same waiters both
     * times have not moved in between, so there was a moment at which all of them waited.
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

    /** Several threads may close it at the same time. */
    private static synchronized boolean isFirstReport(List<Waiter> cycle) {
        Waiter first = Collections.min(cycle, Comparator.comparingLong(waiter -> waiter.lockThread.id));
        boolean isFirst = !first.isReported;
        first.isReported = true;
        return isFirst;
    }

    /** The waiters of the cycle, beginning with that of a thread; empty if it is in none. */
    private static List<Waiter> cycle(LockThread me) {
        List<Waiter> path = new ArrayList<>();
        return reaches(me, me, path, new HashSet<>()) ? path : List.of();
    }

    /** Searches from a thread to the holders of the lock that it waits for, and so on, for another thread. */
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
