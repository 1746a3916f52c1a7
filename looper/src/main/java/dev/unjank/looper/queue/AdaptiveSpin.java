package dev.unjank.looper.queue;

/**
 * The policy that decides whether the looper spins for new messages before it goes to sleep.
 *
 * <p>A sleep and a wake-up cost several microseconds, some of them on the poster's thread. If messages arrive at
 * shorter intervals, a looper that keeps up with them would sleep after each message. So if the last sleep was brief,
 * the looper checks for new messages for a few microseconds before the next sleep: longer after each brief sleep, half
 * as long after any other sleep. A looper that is used rarely never spins, nor does any looper on a single processor.
 */
public class AdaptiveSpin {
    /** The longest sleep, in ns, that counts as brief: falling asleep and waking up cost about as much. */
    private static final long BRIEF = 50_000;

    private static final int MIN_SPINS = 16;
    private static final int MAX_SPINS = 256;

    private final int limit;
    private long sleepStarted = Long.MIN_VALUE;
    private int spins;

    public AdaptiveSpin() {
        this(Runtime.getRuntime().availableProcessors() > 1 ? MAX_SPINS : 0);
    }

    /** Creates a policy; with a limit of 0 it never spins. */
    public AdaptiveSpin(int limit) {
        this.limit = limit;
    }

    /** Called when the looper goes to sleep. */
    public void sleepStarted(long nanos) {
        sleepStarted = nanos;
    }

    /** Called when the looper continues. */
    public void sleepEnded(long nanos) {
        if (sleepStarted != Long.MIN_VALUE) {
            boolean brief = nanos - sleepStarted < BRIEF;
            spins = brief ? Math.min(limit, Math.max(MIN_SPINS, 2 * spins)) : spins / 2;
            sleepStarted = Long.MIN_VALUE;
        }
    }

    /** Spins for new messages as long as recent sleeps suggest; returns true if there are any. */
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
