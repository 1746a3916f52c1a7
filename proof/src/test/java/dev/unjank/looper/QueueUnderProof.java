package dev.unjank.looper;

import java.util.function.Predicate;

/**
 * A lock-free queue as the proofs see it: the real one, or a {@link BareQueue} with a fault in it. Messages are told
 * apart by their code.
 */
interface QueueUnderProof {
    /** The time at which every {@link #quit} happens. */
    long QUIT_TIME = 2;

    /** Times here are milliseconds; the queue's are nanoseconds. */
    long MILLI = 1_000_000;

    /** Returns false if the queue has been quit. */
    boolean send(Message message);

    boolean remove(int what);

    boolean has(int what);

    boolean isIdleAt(long now);

    @Nullable
    Message poll(long now, boolean arm);

    /** Until when the looper may sleep, as the last poll has found. */
    long deadline();

    /** Whether the queue will never give a message again, as the last poll has found. */
    boolean ended();

    /** Drops all, or, safely, what is due later than {@link #QUIT_TIME}. */
    void quit(boolean safely);

    /** True if the looper has been woken since the last call. */
    boolean takeWakeUp();

    /** Makes a message that belongs to the queue it is about to be sent to. */
    static Message message(int what, long when) {
        Message m = Message.obtain(null, what);
        m.claim(null, false, when);
        return m;
    }

    /** A class, not a lambda: the model checker looks into the fields of objects and cannot for hidden classes. */
    final class HasCode implements Predicate<Message> {
        private final int code;

        HasCode(int code) {
            this.code = code;
        }

        @Override
        public boolean test(Message message) {
            return message.what == code;
        }
    }

    /** The queue that all this is about. */
    final class Real implements QueueUnderProof, Waker {
        final LockFreeQueue queue = new LockFreeQueue(() -> QUIT_TIME * MILLI, this, new Spinning(0));
        private volatile boolean woken;

        @Override
        public boolean send(Message message) {
            return queue.enqueue(message);
        }

        @Override
        public boolean remove(int what) {
            return queue.remove(new HasCode(what));
        }

        @Override
        public boolean has(int what) {
            return queue.has(new HasCode(what));
        }

        @Override
        public boolean isIdleAt(long now) {
            return queue.isIdleAt(now * MILLI);
        }

        @Override
        public @Nullable Message poll(long now, boolean arm) {
            return queue.poll(now * MILLI, arm);
        }

        @Override
        public long deadline() {
            return queue.deadline;
        }

        @Override
        public boolean ended() {
            return queue.ended;
        }

        @Override
        public void quit(boolean safely) {
            queue.quit(safely);
        }

        @Override
        public boolean takeWakeUp() {
            boolean was = woken;
            woken = false;
            return was;
        }

        @Override
        public void await(long nanos) {
            throw new AssertionError("nobody sleeps in a proof");
        }

        @Override
        public void wake() {
            woken = true;
        }
    }
}
