package dev.unjank.workbench.soak;

import dev.unjank.looper.QueueKind;

/**
 * A finding of the soak.
 *
 * @param concurrent whether the round has many threads, so that a replay need not show it at once
 */
public record SoakFailure(long seed, QueueKind kind, boolean concurrent, String what) {
    /** Fails if something that must hold does not. */
    static void require(boolean holds, String failure) {
        if (!holds) {
            throw new Failure(failure);
        }
    }

    /** A failure inside a round, which does not know its own seed. */
    static final class Failure extends RuntimeException {
        private static final long serialVersionUID = 1;

        Failure(String what) {
            super(what);
        }
    }
}
