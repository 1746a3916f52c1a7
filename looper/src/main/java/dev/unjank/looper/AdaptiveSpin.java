package dev.unjank.looper;

/**
 * Whether it pays to look a little longer before going to sleep.
 *
 * <p>To sleep and to be woken costs several microseconds, some of them the poster's. When messages come at intervals
 * shorter than that, a looper that keeps up with them would go to sleep after each. So if the last sleep was brief, the
 * looper looks for news for a few microseconds before it announces the next one: longer after each sleep that was brief,
 * half as long after one that was not. A looper that is used now and then never spins, and one processor alone is no
 * place to spin.
 */
class AdaptiveSpin {
    /** A sleep this long, in ns, was not worth it: it costs about as much to fall asleep and to be woken. */
    private static final long BRIEF = 50_000;

    private static final int MIN_SPINS = 16;
    private static final int MAX_SPINS = 256;

    private final int limit;
    private long asleepSince = Long.MIN_VALUE;
    private int spins;

    AdaptiveSpin() {
        this(Runtime.getRuntime().availableProcessors() > 1 ? MAX_SPINS : 0);
    }

    /** With a limit of 0 it never spins. */
    AdaptiveSpin(int limit) {
        this.limit = limit;
    }

    /** To be told when the looper goes to sleep. */
    void asleepSince(long nanos) {
        asleepSince = nanos;
    }

    /** To be told when the looper goes on. */
    void awakeAt(long nanos) {
        if (asleepSince != Long.MIN_VALUE) {
            boolean brief = nanos - asleepSince < BRIEF;
            spins = brief ? Math.min(limit, Math.max(MIN_SPINS, 2 * spins)) : spins / 2;
            asleepSince = Long.MIN_VALUE;
        }
    }

    /** Looks for news for as long as it seems worth it; true if there is some. */
    boolean sawNews(DrainedMessages backlog) {
        for (int i = 0; i < spins; i++) {
            if (backlog.hasNewsVolatile()) {
                return true;
            }
            Thread.onSpinWait();
        }
        return false;
    }
}
