package dev.unjank.looper;

import dev.unjank.looper.queue.AdaptiveSpin;
import dev.unjank.looper.spi.Waker;
import dev.unjank.looper.util.Nullable;
import java.util.function.Predicate;

/**
 * A lock-free queue under proof: the real one, or a {@link SeededBugQueue} with a fault. Messages are identified by
 * their code.
 */
interface QueueUnderTest {
    /** The time at which every {@link #quit} happens. */
    long QUIT_TIME = 2;

    /** Times here are milliseconds; the queue's are nanoseconds. */
    long MILLI = 1_000_000;

    /** Returns false if the queue has been quit. */
    boolean send(Message message);

    boolean remove(Predicate<Message> match);

    boolean cancel(Message message);

    boolean has(Predicate<Message> match);

    /** Returns its token. Its time is {@link #QUIT_TIME}. */
    int postSyncBarrier();

    boolean removeBarrier(int token);

    boolean isIdleAt(long now);

    int depth();

    boolean isQuitting();

    @Nullable
    Message poll(long now, boolean arm);

    /** Until when the looper may sleep, according to the last poll. */
    long deadline();

    /** Whether the queue will never deliver a message again, according to the last poll. */
    boolean ended();

    /** Drops all messages, or, safely, those due later than {@link #QUIT_TIME}. */
    void quit(boolean safely);

    /** True if the looper has been woken since {@link #takeWakeUp}. */
    boolean isWoken();

    /** As above, and resets it. */
    boolean takeWakeUp();

    /** The target of all messages. It never receives one. */
    Handler HANDLER = new Handler(new TestLooper().looper());

    /** Makes a message that belongs to the queue it is about to be sent to. */
    static Message message(int what, long when) {
        Message m = Message.obtain(HANDLER, what);
        m.claim(HANDLER, false, when);
        return m;
    }

    /** A matcher that finds it by its key. */
    static MessageMatcher code(int what) {
        return MessageMatcher.code(HANDLER, what, null);
    }

    /** The queue under proof. */
    final class Real implements QueueUnderTest, Waker {
        final LockFreeQueue queue = new LockFreeQueue(() -> QUIT_TIME * MILLI, this, new AdaptiveSpin(0));
        private volatile boolean woken;

        @Override
        public boolean send(Message message) {
            return queue.enqueue(message);
        }

        @Override
        public boolean remove(Predicate<Message> match) {
            return queue.remove(match);
        }

        @Override
        public boolean cancel(Message message) {
            return queue.cancel(message);
        }

        @Override
        public boolean has(Predicate<Message> match) {
            return queue.has(match);
        }

        @Override
        public int postSyncBarrier() {
            return queue.postSyncBarrier();
        }

        @Override
        public boolean removeBarrier(int token) {
            return queue.removeBarrier(token);
        }

        @Override
        public boolean isIdleAt(long now) {
            return queue.isIdleAt(now * MILLI);
        }

        @Override
        public int depth() {
            return queue.depth();
        }

        @Override
        public boolean isQuitting() {
            return queue.isQuitting();
        }

        @Override
        public @Nullable Message poll(long now, boolean arm) {
            return queue.poll(now * MILLI, arm);
        }

        @Override
        public long deadline() {
            return queue.pollResult.deadline;
        }

        @Override
        public boolean ended() {
            return queue.pollResult.ended;
        }

        @Override
        public void quit(boolean safely) {
            queue.quit(safely);
        }

        @Override
        public boolean isWoken() {
            return woken;
        }

        @Override
        public boolean takeWakeUp() {
            boolean was = woken;
            woken = false;
            return was;
        }

        @Override
        public void await(long nanos) {
            throw new AssertionError("no thread sleeps in a proof");
        }

        @Override
        public void wake() {
            woken = true;
        }
    }
}
