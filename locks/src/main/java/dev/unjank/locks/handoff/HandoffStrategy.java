package dev.unjank.locks.handoff;

import dev.unjank.linux.Futex;
import dev.unjank.linux.LinuxThreads;
import org.jspecify.annotations.Nullable;

/** How two threads hand over to each other. */
public enum HandoffStrategy {
    /** They park, as locks of java.util.concurrent do. Anywhere; the only one for virtual threads. */
    PARKING,

    /** They sleep on futexes, a system call to wake and one to sleep, and run where the kernel has them run. Linux. */
    TWO_CALLS,

    /**
     * As {@link #TWO_CALLS}, and both are bound to one processor as long as they hand over to each other; afterwards each may run where
     * it might before. Linux; needs no privilege.
     */
    SAME_PROCESSOR;

    /**
     * Why it cannot be had here.
     *
     * @return the reason, null if it can be
     */
    public @Nullable String obstacle() {
        return switch (this) {
            case PARKING -> null;
            case TWO_CALLS -> Futex.obstacle();
            case SAME_PROCESSOR -> Futex.obstacle() != null ? Futex.obstacle() : Binding.OBSTACLE;
        };
    }

    /**
     * The fastest that can be had here.
     *
     * @return {@link #SAME_PROCESSOR} on Linux with native access, {@link #PARKING} elsewhere
     */
    public static HandoffStrategy best() {
        if (SAME_PROCESSOR.obstacle() == null) {
            return SAME_PROCESSOR;
        }
        return TWO_CALLS.obstacle() == null ? TWO_CALLS : PARKING;
    }

    /** Tries when somebody wants to know. */
    private static final class Binding {
        static final @Nullable String OBSTACLE = tryToBind();
    }

    /** On a thread of its own. A sandbox may forbid it. Not in {@link Binding}, whose first use waits for that thread. */
    private static @Nullable String tryToBind() {
        @Nullable String[] obstacle = {"the trial was interrupted"};
        Thread trial = Thread.ofPlatform().name("handoff-trial").daemon().start(() -> {
            try {
                LinuxThreads.runOn(LinuxThreads.SELF, LinuxThreads.processors(LinuxThreads.SELF));
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
