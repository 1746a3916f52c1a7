package dev.unjank.locks;

import dev.unjank.linux.LinuxThreads;
import dev.unjank.linux.Scheduling;
import java.lang.System.Logger;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What the locks can do for an important thread on this machine. It is found out once, by trying, on a thread that begins with the
 * first lock, or when somebody asks; one line of the log says what came of it. Until then there is only the order: nobody who waits
 * for a lock waits for the trial, which in a Java VM that has just started takes a hundred milliseconds.
 *
 * <p>{@code -Dunjank.locks.tier=ORDERING} or {@code LENDING} has the locks do no more than that, whatever they may.
 *
 * <p>No tier promises a longest wait.
 */
public enum PriorityTier {
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
    private record Finding(PriorityTier tier, String reason) {
        @Override
        public String toString() {
            return "locks: " + tier + " (" + reason + ")";
        }
    }

    private static final AtomicReference<Finding> FINDING =
            new AtomicReference<>(new Finding(ORDERING, "the trial is not over"));

    /** In a class of its own: nothing is tried before there is a lock, or somebody wants to know. */
    private static final class Trial {
        /** Should the way back be barred, no thread of the program is left with what was tried. */
        static final Thread THREAD = start();

        private static Thread start() {
            Thread thread = Thread.ofPlatform().name("locks-trial").daemon().unstarted(PriorityTier::tryOut);
            try {
                thread.start();
            } catch (OutOfMemoryError e) { // no more threads: no reason to have no lock
                FINDING.set(new Finding(ORDERING, "no thread for a trial: " + e.getMessage()));
            }
            return thread;
        }
    }

    /** Begins to find out, if nobody has. */
    static void begin() {
        Objects.requireNonNull(Trial.THREAD);
    }

    /** The tier as far as it is known by now. */
    static PriorityTier known() {
        return FINDING.get().tier;
    }

    /**
     * The tier in force. Waits for the trial, if that is not over.
     *
     * @return it is the same from now on, but for a privilege that is taken away
     */
    public static PriorityTier current() {
        return tried().tier;
    }

    /**
     * The tier in force, and why it is no better. Waits for the trial, if that is not over.
     *
     * @return one line
     */
    public static String explanation() {
        return tried().toString();
    }

    private static Finding tried() {
        boolean interrupted = false;
        while (Trial.THREAD.isAlive() && !Trial.THREAD.equals(Thread.currentThread())) {
            try {
                Trial.THREAD.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return FINDING.get();
    }

    /** A kernel that did what was asked does so no more: the next lower tier, with one warning. */
    static void lose(PriorityTier tier, String reason) {
        Finding before = FINDING.get();
        if (before.tier.compareTo(tier) >= 0) {
            Finding next = new Finding(tier == REAL_TIME ? LENDING : ORDERING, reason);
            if (FINDING.compareAndSet(before, next)) {
                LOG.log(Logger.Level.WARNING, next.toString());
            }
        }
    }

    private static void tryOut() {
        Finding found;
        try {
            found = atMostWanted(probe());
        } catch (RuntimeException | LinkageError e) {
            found = new Finding(ORDERING, "the trial failed: " + e);
        }
        FINDING.set(found);
        LOG.log(Logger.Level.INFO, found.toString());
    }

    private static Finding atMostWanted(Finding found) {
        String name = System.getProperty(PROPERTY);
        if (name == null) {
            return found;
        }
        PriorityTier wanted = valueOf(name.toUpperCase(Locale.ROOT));
        return wanted.compareTo(found.tier) < 0 ? new Finding(wanted, "-D" + PROPERTY + "=" + name) : found;
    }

    private static Finding probe() {
        String obstacle = LinuxThreads.obstacle();
        if (obstacle != null) {
            return new Finding(ORDERING, obstacle);
        }
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
            Scheduling own = LinuxThreads.scheduling(LinuxThreads.SELF);
            if (own == null) {
                return "its own scheduling is not known";
            }
            LinuxThreads.schedule(LinuxThreads.SELF, loan);
            LinuxThreads.schedule(LinuxThreads.SELF, own); // a resource limit alone allows the first and not this
            return null;
        } catch (IllegalStateException e) {
            return e.getMessage();
        }
    }
}
