package dev.unjank.workbench.soak;

import dev.unjank.looper.QueueKind;

/**
 * A failure of the soak test.
 *
 * @param concurrent whether the round is multi-threaded, so that a replay may not show it immediately
 */
public record SoakFailure(long seed, QueueKind kind, boolean concurrent, String what) {
    /** Fails if a condition does not hold. */
    static void require(boolean holds, String failure) {
        if (!holds) {
            throw new Failure(failure);
        }
    }

    /** A failure inside a round, still without the round's seed. */
    static final class Failure extends RuntimeException {
        private static final long serialVersionUID = 1;

        Failure(String what) {
            super(what);
        }
    }
}
