package dev.unjank.locks;

import java.lang.System.Logger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Finds threads that wait for each other in a circle. The one that closes the circle finds it, since it says what it waits for before
 * it looks; it reports it once, and waits on, for only the program knows what to give up.
 */
final class Deadlock {
    private static final Logger LOG = System.getLogger("dev.unjank.locks");

    private Deadlock() {}

    /**
     * Reports the circle that a thread is in. Walked twice: threads at the same places in the same queues both times have not
     * moved in between, so there was a moment at which all of them waited.
     */
    static void check(Standing me) {
        List<Standing.Wait> circle = circle(me);
        if (!circle.isEmpty()
                && circle.stream().allMatch(wait -> wait.waiter().isForever)
                && circle.equals(circle(me))
                && isFirstReport(circle)) {
            LOG.log(Logger.Level.ERROR, describe(circle));
        }
    }

    /** Several may close it at the same time. */
    private static synchronized boolean isFirstReport(List<Standing.Wait> circle) {
        Waiter first = circle.stream()
                .map(Standing.Wait::waiter)
                .min(Comparator.comparingLong(waiter -> waiter.standing.id))
                .orElseThrow();
        boolean isFirst = !first.isReported;
        first.isReported = true;
        return isFirst;
    }

    /** What each thread of the circle waits for, beginning with a thread; empty if there is none. */
    private static List<Standing.Wait> circle(Standing me) {
        List<Standing.Wait> circle = new ArrayList<>();
        Standing standing = me;
        do {
            Standing.Wait wait = standing.waiting;
            if (wait == null || !wait.waiter().isWaiting() || circle.contains(wait)) {
                return List.of(); // no circle, or one that this thread only waits for
            }
            circle.add(wait);
            standing = Standing.of(wait.lock().ownerId());
        } while (standing != null && standing != me);
        return standing == null ? List.of() : circle;
    }

    private static String describe(List<Standing.Wait> circle) {
        return circle.stream()
                .map(wait -> "waits for " + wait.lock())
                .collect(Collectors.joining(
                        ", which ",
                        "deadlock: "
                                + VipSync.name(
                                        circle.getFirst().waiter().standing.thread()) + " ",
                        ""));
    }
}
