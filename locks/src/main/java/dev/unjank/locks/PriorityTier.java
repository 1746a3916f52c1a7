package dev.unjank.locks;

import dev.unjank.linux.LinuxThreads;
import dev.unjank.linux.Scheduling;
import java.lang.System.Logger;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The support of the locks for important threads on this machine. Creating the first lock, or the first query, starts a
 * test on a separate thread, which takes about 100 ms in a new JVM and logs its result at level DEBUG. Until it ends,
 * the tier is {@link #ORDERING}, so that no thread waits for the test.
 *
 * <p>{@code -Dunjank.locks.tier=ORDERING} or {@code LENDING} limits the locks to that tier.
 *
 * <p>No tier guarantees a maximum wait time.
 */
public enum PriorityTier {
    /** Only the order of waiters: when the owner releases the lock, an important waiter gets it before the others. */
    ORDERING,

    /**
     * As {@link #ORDERING}, and until it releases the lock, the owner has the best nice value of its waiters. Needs
     * Linux, native access and CAP_SYS_NICE. (RLIMIT_NICE does not suffice: without the capability, a thread cannot
     * clear the reset-on-fork flag again.)
     */
    LENDING,

    /**
     * As {@link #LENDING}, and the owner inherits the real-time class of a real-time waiter. Also needs a cgroup that
     * permits real-time classes.
     */
    REAL_TIME;

    private static final String PROPERTY = "unjank.locks.tier";
    private static final Logger LOG = System.getLogger("dev.unjank.locks");

    /** The result of the test. */
    private record TrialResult(PriorityTier tier, String reason) {
        @Override
        public String toString() {
            return "locks: " + tier + " (" + reason + ")";
        }
    }

    private static final AtomicReference<TrialResult> RESULT =
            new AtomicReference<>(new TrialResult(ORDERING, "the trial is still running"));

    /** Starts the trial when it is initialized, with the first lock or query. */
    private static final class Trial {
        /** The thread of the trial. If the change cannot be undone, no thread of the program is affected. */
        static final Thread THREAD = start();

        private static Thread start() {
            Thread thread = Thread.ofPlatform().name("locks-trial").daemon().unstarted(PriorityTier::runTrial);
            try {
                thread.start();
            } catch (OutOfMemoryError e) { // locks must work even if no thread can be created
                RESULT.set(new TrialResult(ORDERING, "cannot create a thread for the trial: " + e.getMessage()));
            }
            return thread;
        }
    }

    /** Starts the trial, unless it has been started already. */
    static void begin() {
        Objects.requireNonNull(Trial.THREAD);
    }

    /** Returns the tier that is known so far, without waiting. */
    static PriorityTier currentFinding() {
        return RESULT.get().tier;
    }

    /**
     * Returns the current tier. Waits for the end of the trial.
     *
     * @return the tier; it does not change afterwards, unless a privilege is revoked
     */
    public static PriorityTier current() {
        return tried().tier;
    }

    /**
     * Returns the current tier, and why no higher tier is available. Waits for the end of the trial.
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

    /** Falls back to the next lower tier, with one warning. Called when the kernel refuses a change of scheduling. */
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
        LOG.log(Logger.Level.DEBUG, found.toString());
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
            return new TrialResult(ORDERING, "cannot lend nice values: " + noNice + "; needs CAP_SYS_NICE");
        }
        String noRealTime = obstacleTo(Scheduling.realTime(1));
        if (noRealTime != null) {
            return new TrialResult(LENDING, "cannot lend real-time classes: " + noRealTime + "; needs CAP_SYS_NICE");
        }
        return new TrialResult(REAL_TIME, "can lend nice values and real-time classes");
    }

    /** Returns why the calling thread cannot receive a donation and return it, or null if it can. */
    private static @Nullable String obstacleTo(Scheduling loan) {
        try {
            Scheduling own = LinuxThreads.scheduling(LinuxThreads.SELF);
            if (own == null) {
                return "its own scheduling is unknown";
            }
            LinuxThreads.schedule(LinuxThreads.SELF, loan);
            LinuxThreads.schedule(LinuxThreads.SELF, own); // a resource limit alone permits only the first call
            return null;
        } catch (IllegalStateException e) {
            return e.getMessage();
        }
    }
}
