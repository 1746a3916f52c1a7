package dev.unjank.locks;

import dev.unjank.linux.LinuxThreads;
import dev.unjank.linux.Scheduling;
import java.lang.System.Logger;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What this machine lets the locks do for an important thread. It is found out once, by a trial, on a thread that
 * starts with the first lock or the first query; one log line reports the result. Until then there is only ordering: no
 * waiting thread waits for the trial, which takes a hundred milliseconds in a Java VM that has just started.
 *
 * <p>{@code -Dunjank.locks.tier=ORDERING} or {@code LENDING} limits the locks to that tier.
 *
 * <p>No tier guarantees a maximum wait.
 */
public enum PriorityTier {
    /** Only the order of waiters: when the owner releases the lock, an important waiter gets it before the others. */
    ORDERING,

    /**
     * And its owner inherits the best nice value until it releases the lock. Needs Linux, native access, and
     * CAP_SYS_NICE: with a resource limit alone a nice value could be inherited, but not returned together with the
     * reset-on-fork flag.
     */
    LENDING,

    /**
     * And its owner inherits the real-time class of a real-time waiter. Needs CAP_SYS_NICE, and a kernel that has
     * real-time classes for this process's group.
     */
    REAL_TIME;

    private static final String PROPERTY = "unjank.locks.tier";
    private static final Logger LOG = System.getLogger("dev.unjank.locks");

    /** The result of the trial. */
    private record TrialResult(PriorityTier tier, String reason) {
        @Override
        public String toString() {
            return "locks: " + tier + " (" + reason + ")";
        }
    }

    private static final AtomicReference<TrialResult> RESULT =
            new AtomicReference<>(new TrialResult(ORDERING, "the trial is not over"));

    /** In a class of its own: the trial starts with the first lock or query. */
    private static final class Trial {
        /** A thread of its own: if the change cannot be undone, no thread of the program is affected. */
        static final Thread THREAD = start();

        private static Thread start() {
            Thread thread = Thread.ofPlatform().name("locks-trial").daemon().unstarted(PriorityTier::runTrial);
            try {
                thread.start();
            } catch (OutOfMemoryError e) { // no more threads: locks must work nevertheless
                RESULT.set(new TrialResult(ORDERING, "no thread for a trial: " + e.getMessage()));
            }
            return thread;
        }
    }

    /** Starts the trial, if it has not been started. */
    static void begin() {
        Objects.requireNonNull(Trial.THREAD);
    }

    /** The tier as far as it is known by now. */
    static PriorityTier currentFinding() {
        return RESULT.get().tier;
    }

    /**
     * Returns the tier in force. Waits for the trial, if that is not over.
     *
     * @return the tier; it does not change any more, unless a privilege is revoked
     */
    public static PriorityTier current() {
        return tried().tier;
    }

    /**
     * Returns the tier in force, and why no higher one is. Waits for the trial, if that is not over.
     *
     * @return one line
     */
    public static String explanation() {
        return tried().toString();
    }

    private static TrialResult tried() {
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
        return RESULT.get();
    }

    /** Falls back to the next lower tier, with one warning, when the kernel starts to refuse. */
    static void downgrade(PriorityTier tier, String reason) {
        TrialResult before = RESULT.get();
        if (before.tier.compareTo(tier) >= 0) {
            TrialResult next = new TrialResult(tier == REAL_TIME ? LENDING : ORDERING, reason);
            if (RESULT.compareAndSet(before, next)) {
                LOG.log(Logger.Level.WARNING, next.toString());
            }
        }
    }

    private static void runTrial() {
        TrialResult found;
        try {
            found = atMostWanted(probe());
        } catch (RuntimeException | LinkageError e) {
            found = new TrialResult(ORDERING, "the trial failed: " + e);
        }
        RESULT.set(found);
        LOG.log(Logger.Level.INFO, found.toString());
    }

    private static TrialResult atMostWanted(TrialResult found) {
        String name = System.getProperty(PROPERTY);
        if (name == null) {
            return found;
        }
        PriorityTier wanted = valueOf(name.toUpperCase(Locale.ROOT));
        return wanted.compareTo(found.tier) < 0 ? new TrialResult(wanted, "-D" + PROPERTY + "=" + name) : found;
    }

    private static TrialResult probe() {
        String obstacle = LinuxThreads.obstacle();
        if (obstacle != null) {
            return new TrialResult(ORDERING, obstacle);
        }
        String noNice = obstacleTo(Scheduling.bestNice());
        if (noNice != null) {
            return new TrialResult(ORDERING, "may not lend nice values: " + noNice + "; CAP_SYS_NICE allows it");
        }
        String noRealTime = obstacleTo(Scheduling.realTime(1));
        if (noRealTime != null) {
            return new TrialResult(
                    LENDING, "may not lend real-time classes: " + noRealTime + "; CAP_SYS_NICE allows it");
        }
        return new TrialResult(REAL_TIME, "may lend nice values and real-time classes");
    }

    /** Why the calling thread cannot receive a donation and return it; null if it can. */
    private static @Nullable String obstacleTo(Scheduling loan) {
        try {
            Scheduling own = LinuxThreads.scheduling(LinuxThreads.SELF);
            if (own == null) {
                return "its own scheduling is unknown";
            }
            LinuxThreads.schedule(LinuxThreads.SELF, loan);
            LinuxThreads.schedule(LinuxThreads.SELF, own); // a resource limit alone allows the first and not this
            return null;
        } catch (IllegalStateException e) {
            return e.getMessage();
        }
    }
}
