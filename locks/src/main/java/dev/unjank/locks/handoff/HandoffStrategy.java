package dev.unjank.locks.handoff;

import dev.unjank.linux.Futex;
import dev.unjank.linux.LinuxThreads;
import org.jspecify.annotations.Nullable;

/** How two threads hand over to each other. */
public enum HandoffStrategy {
    /** They park, like locks of java.util.concurrent. Works everywhere; the only strategy for virtual threads. */
    PARKING,

    /** They sleep on futexes, with one system call to wake and one to sleep, on any processor. Linux. */
    TWO_CALLS,

    /**
     * As {@link #TWO_CALLS}, with both threads bound to one processor while they are joined; afterwards each regains
     * its former affinity. Linux; needs no privilege.
     */
    SAME_PROCESSOR;

    /**
     * Returns why this strategy is not available here.
     *
     * @return the reason, null if it is available
     */
    public @Nullable String obstacle() {
        return switch (this) {
            case PARKING -> null;
            case TWO_CALLS -> Futex.obstacle();
            case SAME_PROCESSOR -> Futex.obstacle() != null ? Futex.obstacle() : Binding.OBSTACLE;
        };
    }

    /**
     * Returns the fastest available strategy.
     *
     * @return {@link #SAME_PROCESSOR} on Linux with native access, {@link #PARKING} elsewhere
     */
    public static HandoffStrategy best() {
        if (SAME_PROCESSOR.obstacle() == null) {
            return SAME_PROCESSOR;
        }
        return TWO_CALLS.obstacle() == null ? TWO_CALLS : PARKING;
    }

    /** Tries at the first query. */
    private static final class Binding {
        static final @Nullable String OBSTACLE = tryToBind();
    }

    /**
     * On a thread of its own. A sandbox may forbid it. Not in {@link Binding}: its initialization waits for that
     * thread.
     */
    private static @Nullable String tryToBind() {
        @Nullable String[] obstacle = {"the trial was interrupted"};
        Thread trial = Thread.ofPlatform().name("handoff-trial").daemon().start(() -> {
            try {
                LinuxThreads.pinTo(LinuxThreads.SELF, LinuxThreads.affinity(LinuxThreads.SELF));
                obstacle[0] = null;
            } catch (IllegalStateException e) {
                obstacle[0] = "a thread may not be bound to a processor: " + e.getMessage();
            }
        });
        try {
            trial.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return obstacle[0];
    }
}
