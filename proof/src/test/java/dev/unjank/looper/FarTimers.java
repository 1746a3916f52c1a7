package dev.unjank.looper;

/**
 * Timers that are never due in a scenario, and are there so that what settles is indexed. To the model checker an
 * operation here is one step.
 */
final class FarTimers {
    /** With so many and one more the queue makes an index. */
    static final int ALMOST_ENOUGH = 63;

    private static final int CODE = -1;
    private static final int LATE = 1_000;

    private FarTimers() {}

    /** Has so many of them settle in a queue. */
    static void settle(QueueUnderTest queue, int count) {
        for (int i = 0; i < count; i++) {
            queue.send(QueueUnderTest.message(CODE, LATE));
        }
        queue.poll(0, true);
    }
}
