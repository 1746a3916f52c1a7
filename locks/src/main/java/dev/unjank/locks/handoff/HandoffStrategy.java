package dev.unjank.locks.handoff;

import dev.unjank.linux.Futex;
import dev.unjank.linux.LinuxThreads;
import org.jspecify.annotations.Nullable;

/** The way in which two threads hand over to each other. */
public enum HandoffStrategy {
    /**
     * Threads park, like threads that wait for locks of java.util.concurrent. Works everywhere; the only strategy for
     * virtual threads.
     */
    PARKING,

    /** Threads sleep on futexes, with one system call to wake and one to sleep, on any processor. Linux only. */
    TWO_CALLS,

    /**
     * As {@link #TWO_CALLS}, with both threads bound to one processor while they are joined; afterwards each thread
     * regains its former affinity. Linux only; needs no privilege.
     */
    SAME_PROCESSOR;

    /**
     * Returns why this strategy is not available here.
     *
     * @return the reason; null if the strategy is available
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

    /** Tests on first use whether threads can be bound to a processor. */
    private static final class Binding {
        static final @Nullable String OBSTACLE = tryToBind();
    }

    /**
     * Tries to bind a new thread to a processor, which a sandbox may forbid. Not a method of {@link Binding}, whose
     * initialization waits for that thread.
     */
    private static @Nullable String tryToBind() {
        @Nullable String[] obstacle = {"the trial was interrupted"};
        Thread trial = Thread.ofPlatform().name("handoff-trial").daemon().start(() -> {
            try {
                LinuxThreads.pinTo(LinuxThreads.SELF, LinuxThreads.affinity(LinuxThreads.SELF));
                obstacle[0] = null;
            } catch (IllegalStateException e) {
                obstacle[0] = "cannot bind a thread to a processor: " + e.getMessage();
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
