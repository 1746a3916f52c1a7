package dev.unjank.looper;

import static dev.unjank.looper.queue.NodeState.ASYNCHRONOUS;
import static dev.unjank.looper.queue.NodeState.BARRIER;
import static dev.unjank.looper.queue.NodeState.SYNCHRONOUS;
import static dev.unjank.looper.queue.NodeState.TAKEN;
import static dev.unjank.looper.queue.NodeState.dueNanos;
import static dev.unjank.looper.queue.NodeState.kind;
import static dev.unjank.looper.queue.NodeState.life;
import static dev.unjank.looper.queue.NodeState.when;

import dev.unjank.looper.queue.Node;
import dev.unjank.looper.task.BlockingRunnable;
import dev.unjank.looper.task.QueuedTask;
import dev.unjank.looper.util.Nullable;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * A manager that drives a looper message by message, for tests and simulations.
 *
 * <p>A manager holds its looper from the constructor to {@link #release()}. Meanwhile a loop on another thread is
 * stopped; a looper from {@link Looper#create(LooperOptions)} has no loop to stop. Only one thread at a time may use a
 * manager.
 *
 * <pre>{@code
 * Looper looper = Looper.create(LooperOptions.defaults().withClock(clock));
 * TestLooperManager manager = new TestLooperManager(looper);
 * for (Message m = manager.poll(); m != null; m = manager.poll()) {
 *     manager.execute(m);
 *     manager.recycle(m);
 * }
 * }</pre>
 */
public final class TestLooperManager {
    private final Looper looper;
    private final MessageQueue queue;
    private final @Nullable Holder holder;
    private boolean released;

    /**
     * Acquires a looper. Blocks until its thread has finished its current message.
     *
     * @param looper the looper to drive
     * @throws IllegalStateException if another manager holds it, or if it has quit
     */
    public TestLooperManager(Looper looper) {
        Objects.requireNonNull(looper, "looper");
        if (!looper.tryAcquireManager()) {
            throw new IllegalStateException("TestLooperManager already held for this looper");
        }
        this.looper = looper;
        this.queue = looper.getQueue();
        this.holder = looper.isManual() || looper.isCurrentThread() ? null : new Holder();
        if (holder != null && !stopLoop(holder)) {
            looper.releaseManager();
            throw new IllegalStateException("The looper has quit: " + looper);
        }
    }

    private boolean stopLoop(Holder loopStopper) {
        Message message = Message.obtain(null, loopStopper);
        return new Handler(looper).sendMessageAtFrontOfQueue(message) && loopStopper.awaitStart();
    }

    /** Occupies the looper's own thread while the manager holds it, and runs there the work that needs that thread. */
    private static final class Holder implements QueuedTask {
        /** Opens when this task has begun to run, or when it never will. */
        private final CountDownLatch decided = new CountDownLatch(1);

        private final BlockingQueue<Runnable> work = new LinkedBlockingQueue<>();
        private volatile boolean started;
        private boolean over;

        @Override
        public void run() {
            started = true;
            decided.countDown();
            while (!over) {
                BlockingRunnable.uninterruptibly(work::take).run();
            }
        }

        @Override
        public void released(Node message) {
            decided.countDown();
        }

        void end() {
            work.add(() -> over = true);
        }

        /** Returns false if this task will never run, because the looper has quit. */
        boolean awaitStart() {
            return BlockingRunnable.uninterruptibly(() -> {
                decided.await();
                return started;
            });
        }
    }

    /**
     * Returns the queue of the looper.
     *
     * @return the queue
     */
    public MessageQueue getMessageQueue() {
        return queue;
    }

    /**
     * Returns the queue of the looper, as {@link #getMessageQueue()} does.
     *
     * @return the queue
     */
    public MessageQueue getQueue() {
        return queue;
    }

    /**
     * Waits for the next due message and takes it out of the queue. Runs idle handlers like a loop. The caller may
     * {@link #execute} the message, and must then {@link #recycle} it.
     *
     * @return the message, or null if the looper has quit
     */
    public @Nullable Message next() {
        checkHeld();
        return queue.next();
    }

    /**
     * Takes the next message out of the queue if it is due. Never blocks and runs no idle handlers, but calls the
     * listeners of ready channels.
     *
     * @return the message, or null if no message is due, or barriers block all due messages
     */
    public @Nullable Message poll() {
        checkHeld();
        queue.runReadyChannels();
        return queue.poll(queue.clock.nanos(), false);
    }

    /**
     * Returns the due time of the next message that is not blocked by a barrier.
     *
     * @return the time in milliseconds on the looper's clock, or null if there is no such message
     */
    public @Nullable Long peekWhen() {
        checkHeld();
        boolean barrier = false;
        for (Message m : queue.snapshot()) {
            barrier |= kind(m) == BARRIER;
            if (kind(m) == ASYNCHRONOUS || !barrier) {
                return when(m);
            }
        }
        return null;
    }

    /**
     * Returns whether only a barrier prevents the delivery of a due message.
     *
     * @return true if a synchronous message is due but blocked by a barrier, and no other message is due
     */
    public boolean isBlockedOnSyncBarrier() {
        checkHeld();
        List<Message> messages = queue.snapshot();
        if (messages.isEmpty() || kind(messages.get(0)) != BARRIER) {
            return false;
        }
        long now = queue.clock.nanos();
        boolean stalled = false;
        for (Message m : messages) {
            if (dueNanos(m) <= now) {
                if (kind(m) == ASYNCHRONOUS) {
                    return false;
                }
                stalled |= kind(m) == SYNCHRONOUS;
            }
        }
        return stalled;
    }

    /**
     * Returns whether a message waits in the queue.
     *
     * @param h the handler of the message
     * @param object the {@link Message#obj} of the message, by identity; null matches any
     * @param what the code of the message
     * @return true if such a message waits
     */
    public boolean hasMessages(Handler h, @Nullable Object object, int what) {
        Objects.requireNonNull(h, "h");
        checkHeld();
        return queue.has(MessageMatcher.code(h, what, object));
    }

    /**
     * Returns whether a Runnable waits in the queue.
     *
     * @param h the handler of the Runnable
     * @param object the token of the Runnable, by identity; null matches any
     * @param r the Runnable
     * @return true if the Runnable waits
     */
    public boolean hasMessages(Handler h, @Nullable Object object, Runnable r) {
        Objects.requireNonNull(h, "h");
        Objects.requireNonNull(r, "r");
        checkHeld();
        return queue.has(MessageMatcher.callback(h, r, object));
    }

    /**
     * Runs a message on the looper's thread and returns when it has run. Exceptions of the message are thrown by this
     * method.
     *
     * @param message a message from {@link #next()} or {@link #poll()}
     */
    public void execute(Message message) {
        Objects.requireNonNull(message, "message");
        checkHeld();
        if (holder == null) {
            looper.runBound(() -> looper.dispatch(message));
            return;
        }
        FutureTask<@Nullable Void> task = new FutureTask<>(() -> looper.dispatch(message), null);
        holder.work.add(task);
        BlockingRunnable.uninterruptibly(task::get);
    }

    /**
     * Recycles a message: it is cleared and cannot be used again.
     *
     * @param msg a message from {@link #next()} or {@link #poll()}
     * @throws IllegalStateException if the message was not taken from the queue, or has been recycled
     */
    public void recycle(Message msg) {
        Objects.requireNonNull(msg, "msg");
        checkHeld();
        if (life(msg) != TAKEN) {
            throw new IllegalStateException("This message has not been taken from the queue: " + msg);
        }
        msg.retire();
    }

    /**
     * Releases the looper, whose loop continues. Afterwards no other method of this manager may be called; this method
     * may be called again.
     */
    public void release() {
        if (released) {
            return;
        }
        released = true;
        if (holder != null) {
            holder.end();
        }
        looper.releaseManager();
    }

    private void checkHeld() {
        if (released) {
            throw new IllegalStateException("This manager has released its looper: " + looper);
        }
    }
}
