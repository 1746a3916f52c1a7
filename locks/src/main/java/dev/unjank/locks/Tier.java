package dev.unjank.locks;

import dev.unjank.linux.Scheduling;
import dev.unjank.linux.Tasks;
import java.lang.System.Logger;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What the locks can do for an important thread on this machine. It is found out once, by trying, when the first lock is contended
 * or when somebody asks; one line of the log says what came of it.
 *
 * <p>{@code -Dunjank.locks.tier=ORDERING} or {@code LENDING} has the locks do no more than that, whatever they may.
 *
 * <p>No tier promises a longest wait.
 */
public enum Tier {
    /** Only the order of waiters: an important one gets the lock before the others, when its owner releases it. */
    ORDERING,

    /**
     * And its owner is lent the best nice value until it releases the lock. Needs Linux, native access, and CAP_SYS_NICE: a
     * resource limit lets nice values be lent, but not taken back together with what keeps them from being inherited.
     */
    LENDING,

    /** And its owner is lent the real-time class of a waiter that is of one. Needs CAP_SYS_NICE, and a kernel
     * that has real-time classes for this process's group.
     */
    REAL_TIME;

    private static final String PROPERTY = "unjank.locks.tier";
    private static final Logger LOG = System.getLogger("dev.unjank.locks");

    /** What is known. */
    private record Finding(Tier tier, String reason) {}

    /** In a class of its own: nothing is tried before somebody wants to know. */
    private static final class Found {
        static final AtomicReference<Finding> FINDING = new AtomicReference<>(atMostWanted(probe()));

        static {
            LOG.log(Logger.Level.INFO, explanation());
        }
    }

    /**
     * The tier in force.
     *
     * @return it is the same from now on, but for a privilege that is taken away
     */
    public static Tier current() {
        return Found.FINDING.get().tier;
    }

    /**
     * The tier in force, and why it is no better.
     *
     * @return one line
     */
    public static String explanation() {
        Finding finding = Found.FINDING.get();
        return "locks: " + finding.tier + " (" + finding.reason + ")";
    }

    /** A kernel that did what was asked does so no more: the next lower tier, with one warning. */
    static void lose(Tier tier, String reason) {
        Finding before = Found.FINDING.get();
        if (before.tier.compareTo(tier) >= 0) {
            Tier next = tier == REAL_TIME ? LENDING : ORDERING;
            if (Found.FINDING.compareAndSet(before, new Finding(next, reason))) {
                LOG.log(Logger.Level.WARNING, explanation());
            }
        }
    }

    private static Finding atMostWanted(Finding found) {
        String name = System.getProperty(PROPERTY);
        if (name == null) {
            return found;
        }
        Tier wanted = valueOf(name.toUpperCase(Locale.ROOT));
        return wanted.compareTo(found.tier) < 0 ? new Finding(wanted, "-D" + PROPERTY + "=" + name) : found;
    }

    private static Finding probe() {
        String obstacle = Tasks.obstacle();
        if (obstacle != null) {
            return new Finding(ORDERING, obstacle);
        }
        Finding[] found = {new Finding(ORDERING, "the trial was interrupted")};
        // a thread of its own: should the way back be barred, no thread of the program is left with what was tried
        Thread trial = Thread.ofPlatform().name("locks-trial").daemon().unstarted(() -> found[0] = tryOut());
        trial.start();
        boolean interrupted = false;
        while (trial.isAlive()) {
            try {
                trial.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return found[0];
    }

    private static Finding tryOut() {
        String noNice = obstacleTo(Scheduling.bestNice());
        if (noNice != null) {
            return new Finding(ORDERING, "may not lend nice values: " + noNice + "; CAP_SYS_NICE allows it");
        }
        String noRealTime = obstacleTo(Scheduling.realTime(1));
        if (noRealTime != null) {
            return new Finding(LENDING, "may not lend real-time classes: " + noRealTime + "; CAP_SYS_NICE allows it");
        }
        return new Finding(REAL_TIME, "may lend nice values and real-time classes");
    }

    /** Why the calling thread cannot be lent something and be as before afterwards; null if it can. */
    private static @Nullable String obstacleTo(Scheduling loan) {
        try {
            Scheduling own = Tasks.scheduling(Tasks.SELF);
            if (own == null) {
                return "its own scheduling is not known";
            }
            Tasks.schedule(Tasks.SELF, loan);
            Tasks.schedule(Tasks.SELF, own); // a resource limit alone allows the first and not this
            return null;
        } catch (IllegalStateException e) {
            return e.getMessage();
        }
    }
}
