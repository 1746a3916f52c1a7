package dev.unjank.looper;

/**
 * Timers that are never due in a scenario; they make the queue index its settled messages. For the model checker an
 * operation here is one step.
 */
final class FarTimers {
    /** With this number and one more the queue makes an index. */
    static final int ALMOST_ENOUGH = 63;

    private static final int CODE = -1;
    private static final int LATE = 1_000;

    private FarTimers() {}

    /** Settles this number of timers in a queue. */
    static void settle(QueueUnderTest queue, int count) {
        for (int i = 0; i < count; i++) {
            queue.send(QueueUnderTest.message(CODE, LATE));
        }
        queue.poll(0, true);
    }
}
