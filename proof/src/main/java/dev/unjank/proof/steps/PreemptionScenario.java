package dev.unjank.proof.steps;

/**
 * A scenario: one thread is stopped in an operation on the queue; meanwhile other threads act. The stopped thread is
 * called the poster, even if its operation is not a post. The target is a message that the operation may remove.
 */
public record PreemptionScenario(String queue, Situation situation, Operation operation, Others others) {
    /** The state of the looper. */
    public enum Situation {
        /** Awake; the last poll found the queue empty. */
        EMPTY,
        /**
         * Awake; messages are due, of which the looper has drained some; the queue also contains timers and tombstones.
         */
        BUSY,
        /** Asleep with an empty queue. */
        ASLEEP,
        /** Asleep until a timer is due. */
        ASLEEP_UNTIL_A_TIMER,
        /** Asleep although a message is due, because of a barrier. */
        ASLEEP_BEHIND_A_BARRIER,
        /** It has been quit. */
        QUIT;

        /** Returns whether the looper sleeps. */
        public boolean isAsleep() {
            return this == ASLEEP || this == ASLEEP_UNTIL_A_TIMER || this == ASLEEP_BEHIND_A_BARRIER;
        }
    }

    /** The operation in which the poster is stopped. */
    public enum Operation {
        /** {@code post(Runnable)}. */
        POST,
        /** {@code sendMessageDelayed}. */
        SEND_DELAYED,
        /** {@code sendMessageAtFrontOfQueue}. */
        SEND_TO_FRONT,
        /** {@code sendMessage} of an asynchronous message. */
        SEND_ASYNCHRONOUS,
        /** {@code removeMessages(what)} of a pending message. */
        REMOVE_MESSAGES,
        /** {@code removeCallbacksAndMessages(token)} of a pending message. */
        REMOVE_BY_TOKEN,
        /** {@code Message.cancel()} of a pending message. */
        CANCEL,
        /** {@code hasMessages(what)}. */
        HAS_MESSAGES,
        /** {@code postSyncBarrier()}. */
        POST_BARRIER,
        /** {@code removeSyncBarrier(token)} of the barrier that blocks the looper. */
        REMOVE_BARRIER,
        /** {@code quit()}. */
        QUIT,
        /** {@code quitSafely()}. */
        QUIT_SAFELY;

        /** Returns whether this sends the poster's message. */
        public boolean sends() {
            return this == POST || this == SEND_DELAYED || this == SEND_TO_FRONT || this == SEND_ASYNCHRONOUS;
        }

        /** Returns whether this removes the target from the queue. */
        public boolean removes() {
            return this == REMOVE_MESSAGES || this == REMOVE_BY_TOKEN || this == CANCEL;
        }

        /** Returns whether this ends the looper. */
        public boolean quits() {
            return this == QUIT || this == QUIT_SAFELY;
        }
    }

    /** The actions of other threads while the poster is stopped. */
    public enum Others {
        /** One thread sends a message, which must be run, and another removes a message. */
        SEND_AND_REMOVE,
        /** One thread quits, and the loop must end. */
        QUIT
    }

    /** Returns whether the scenario is meaningful. */
    public boolean isMeaningful() {
        return operation != Operation.REMOVE_BARRIER || situation == Situation.ASLEEP_BEHIND_A_BARRIER;
    }
}
