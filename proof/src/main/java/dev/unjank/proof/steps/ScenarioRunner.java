package dev.unjank.proof.steps;

/** Plays a scene. The implementation is in a class loader of its own, with the rewritten looper. */
public interface ScenarioRunner {
    /**
     * Plays a scene from beginning to end, on the current thread, and checks what must hold in it.
     *
     * @param scene the scene
     * @param poster does the operation of the scene
     * @throws AssertionError if the queue breaks a guarantee
     */
    void play(PreemptionScenario scene, Poster poster);

    /**
     * Starts a loop with a thread, a clock and a waker as users have them, waits until it sleeps, has the poster post to it, and
     * ends it when the message has been run.
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
