package dev.unjank.proof.steps;

/**
 * One poster is stopped in an operation; meanwhile others do what they have to do.
 *
 * @param queue the name of the kind of queue
 * @param situation how the looper stands at the beginning
 * @param operation in which the poster is stopped
 * @param others what the others do meanwhile
 */
public record PreemptionScenario(String queue, Situation situation, Operation operation, Others others) {
    /** How the looper stands. */
    public enum Situation {
        /** Nothing is in the queue, and the looper has seen that. */
        EMPTY,
        /** Messages are due, some of which the looper has seen, timers wait, and there are remains of what was removed. */
        BUSY,
        /** Asleep with nothing in the queue. */
        ASLEEP,
        /** Asleep until a timer is due. */
        ASLEEP_UNTIL_A_TIMER,
        /** Asleep, though a message is due: a barrier holds it up. */
        ASLEEP_BEHIND_A_BARRIER,
        /** It has been quit. */
        QUIT;

        /**
         * Tells whether the looper sleeps.
         *
         * @return true if something must wake it
         */
        public boolean isAsleep() {
            return this == ASLEEP || this == ASLEEP_UNTIL_A_TIMER || this == ASLEEP_BEHIND_A_BARRIER;
        }
    }

    /** What the poster is stopped in. */
    public enum Operation {
        /** {@code post(Runnable)}. */
        POST,
        /** {@code sendMessageDelayed}. */
        SEND_DELAYED,
        /** {@code sendMessageAtFrontOfQueue}. */
        SEND_TO_FRONT,
        /** {@code sendMessage} of an asynchronous message. */
        SEND_ASYNCHRONOUS,
        /** {@code removeMessages(what)} of a message that waits. */
        REMOVE_MESSAGES,
        /** {@code removeCallbacksAndMessages(token)} of a message that waits. */
        REMOVE_BY_TOKEN,
        /** {@code Message.cancel()} of a message that waits. */
        CANCEL,
        /** {@code hasMessages(what)}. */
        HAS_MESSAGES,
        /** {@code postSyncBarrier()}. */
        POST_BARRIER,
        /** {@code removeSyncBarrier(token)} of the barrier that holds up the looper. */
        REMOVE_BARRIER,
        /** {@code quit()}. */
        QUIT,
        /** {@code quitSafely()}. */
        QUIT_SAFELY;

        /**
         * Tells whether this sends the poster's message.
         *
         * @return true if it is to arrive
         */
        public boolean sends() {
            return this == POST || this == SEND_DELAYED || this == SEND_TO_FRONT || this == SEND_ASYNCHRONOUS;
        }

        /**
         * Tells whether this takes the target out of the queue.
         *
         * @return true if the target is not to run afterwards
         */
        public boolean removes() {
            return this == REMOVE_MESSAGES || this == REMOVE_BY_TOKEN || this == CANCEL;
        }

        /**
         * Tells whether this ends the looper.
         *
         * @return true if nothing can be sent afterwards
         */
        public boolean quits() {
            return this == QUIT || this == QUIT_SAFELY;
        }
    }

    /** What others do while the poster stands still. */
    public enum Others {
        /** One sends a message, which must be run, and one removes another. */
        SEND_AND_REMOVE,
        /** One quits, and the loop must end. */
        QUIT
    }

    /**
     * Tells whether there is anything to see.
     *
     * @return false if the operation makes no sense in the situation
     */
    public boolean isMeaningful() {
        return operation != Operation.REMOVE_BARRIER || situation == Situation.ASLEEP_BEHIND_A_BARRIER;
    }
}
