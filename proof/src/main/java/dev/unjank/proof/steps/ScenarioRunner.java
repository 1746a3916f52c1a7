package dev.unjank.proof.steps;

/** What plays a scene. The other side of this interface is in a class loader of its own, with the rewritten looper. */
public interface ScenarioRunner {
    /**
     * Plays a scene from beginning to end, on the current thread, and checks what must hold in it.
     *
     * @param scene what to play
     * @param poster who does the operation of the scene
     * @throws AssertionError if the queue breaks a promise
     */
    void play(PreemptionScenario scene, Poster poster);

    /**
     * Starts a loop with a thread, a clock and a waker as users have them, waits until it sleeps, has the poster post to it, and
     * ends it when the message has been run.
     *
     * @param queue the name of the kind of queue
     * @param poster who posts
     * @throws InterruptedException if the current thread is interrupted
     */
    void wakeRealLoop(String queue, Poster poster) throws InterruptedException;

    /** A thread that can be stopped in the middle of what it does. */
    interface Poster {
        /**
         * Has the thread begin with something, and returns when it has been stopped in it, or is done with it.
         *
         * @param operation what to do
         */
        void begin(Runnable operation);

        /** Sends the thread on and returns when it is done; at once if it is done already. */
        void finish();
    }
}
