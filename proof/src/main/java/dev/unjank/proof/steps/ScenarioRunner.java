package dev.unjank.proof.steps;

/** Runs a scenario. The implementation is in a separate class loader, with the rewritten looper. */
public interface ScenarioRunner {
    /**
     * Runs a whole scenario on the current thread, and checks the queue's guarantees.
     *
     * @param scene the scenario
     * @param poster runs the operation of the scenario
     * @throws AssertionError if the queue breaks a guarantee
     */
    void play(PreemptionScenario scene, Poster poster);

    /**
     * Starts a loop with the default thread, clock and waker, waits until it sleeps, lets the poster post to it, and
     * ends it after the message has run.
     */
    void wakeRealLoop(String queue, Poster poster) throws InterruptedException;

    /** A thread that can be stopped in the middle of an operation. */
    interface Poster {
        /** Starts an operation on the thread, and returns when it has been stopped in it, or has finished it. */
        void begin(Runnable operation);

        /** Resumes the thread and returns when it has finished; at once if it already has. */
        void finish();
    }
}
