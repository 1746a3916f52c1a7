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
 * Finds threads that wait for each other in a circle. The one that closes the circle finds it, since it says what it waits for before
 * it looks; it reports it once, and waits on, for only the program knows what to give up.
 */
final class DeadlockDetector {
    private static final Logger LOG = System.getLogger("dev.unjank.locks");

    private DeadlockDetector() {}

    /**
     * Reports the circle that a thread is in. Walked twice: threads at the same places in the same queues both times have not
     * moved in between, so there was a moment at which all of them waited.
     */
    static void check(LockThread me) {
        List<Waiter> circle = circle(me);
        if (!circle.isEmpty()
                && circle.stream().allMatch(waiter -> waiter.isForever)
                && circle.equals(circle(me))
                && isFirstReport(circle)) {
            LOG.log(Logger.Level.ERROR, describe(circle));
        }
    }

    /** Several may close it at the same time. */
    private static synchronized boolean isFirstReport(List<Waiter> circle) {
        Waiter first = Collections.min(circle, Comparator.comparingLong(waiter -> waiter.standing.id));
        boolean isFirst = !first.isReported;
        first.isReported = true;
        return isFirst;
    }

    /** What the threads of the circle wait with, beginning with a thread; empty if it is in none. */
    private static List<Waiter> circle(LockThread me) {
        List<Waiter> path = new ArrayList<>();
        return leadsTo(me, me, path, new HashSet<>()) ? path : List.of();
    }

    /** Goes from a thread to those that hold what it waits for, and so on, until it comes to another one. */
    private static boolean leadsTo(LockThread goal, LockThread from, List<Waiter> path, Set<LockThread> seen) {
        Waiter waiter = from.waiting;
        if (waiter == null || !waiter.isWaiting() || !seen.add(from)) {
            return false;
        }
        path.add(waiter);
        for (LockThread holder : waiter.sync.holders()) {
            if (holder == goal || leadsTo(goal, holder, path, seen)) {
                return true;
            }
        }
        path.removeLast();
        return false;
    }

    private static String describe(List<Waiter> circle) {
        return "deadlock: "
                + circle.stream()
                        .map(waiter -> VipSync.name(waiter.standing.get()) + " waits for " + waiter.sync)
                        .collect(Collectors.joining(", "));
    }
}
