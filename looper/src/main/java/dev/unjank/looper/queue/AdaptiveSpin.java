package dev.unjank.looper.queue;

/**
 * Decides whether to spin for new messages before going to sleep.
 *
 * <p>A sleep and a wake-up cost several microseconds, some of them on the poster's thread. If messages come at shorter
 * intervals than that, a looper that keeps up with them would sleep after each. So if the last sleep was brief, the
 * looper checks for new messages for a few microseconds before it announces the next sleep: longer after each brief
 * sleep, half as long after one that was not. A looper that is used now and then never spins, and neither does any
 * looper on a single processor.
 */
public class AdaptiveSpin {
    /** A sleep up to this long, in ns, did not pay: falling asleep and being woken cost about as much. */
    private static final long BRIEF = 50_000;

    private static final int MIN_SPINS = 16;
    private static final int MAX_SPINS = 256;

    private final int limit;
    private long sleepStarted = Long.MIN_VALUE;
    private int spins;

    public AdaptiveSpin() {
        this(Runtime.getRuntime().availableProcessors() > 1 ? MAX_SPINS : 0);
    }

    /** With a limit of 0 it never spins. */
    public AdaptiveSpin(int limit) {
        this.limit = limit;
    }

    /** To be called when the looper goes to sleep. */
    public void sleepStarted(long nanos) {
        sleepStarted = nanos;
    }

    /** To be called when the looper goes on. */
    public void sleepEnded(long nanos) {
        if (sleepStarted != Long.MIN_VALUE) {
            boolean brief = nanos - sleepStarted < BRIEF;
            spins = brief ? Math.min(limit, Math.max(MIN_SPINS, 2 * spins)) : spins / 2;
            sleepStarted = Long.MIN_VALUE;
        }
    }

    /** Spins for new messages for as long as it seems worth it; true if there are some. */
    public boolean spinForMessages(DrainedMessages backlog) {
        for (int i = 0; i < spins; i++) {
            if (backlog.hasNewMessagesVolatile()) {
                return true;
            }
            Thread.onSpinWait();
        }
        return false;
    }
}
