package dev.unjank.looper;

import static dev.unjank.looper.queue.NodeState.NEVER;

import dev.unjank.looper.manual.MessageLimit;
import dev.unjank.looper.manual.TestClock;
import dev.unjank.looper.spi.Clock;
import dev.unjank.looper.spi.Waker;
import dev.unjank.looper.util.Nullable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntSupplier;

/**
 * A looper for tests, whose clock the test advances and whose messages run on the calling thread.
 *
 * <pre>{@code
 * try (TestLooper test = new TestLooper()) {
 *     Handler handler = new Handler(test.looper());
 *     handler.postDelayed(() -> log.add("blink"), 500);
 *     test.advanceBy(Duration.ofMillis(499));   // nothing
 *     test.advanceBy(Duration.ofMillis(1));     // "blink"
 * }
 * }</pre>
 *
 * <p>Advancing the clock runs every message at exactly its due time, in order, including messages sent meanwhile. It
 * never sleeps, so an hour of timeouts passes at once. Idle handlers are called where a real loop would call them, once
 * per pause. The queue is a real one, so order, barriers, removal and quitting behave as in production.
 *
 * <p><b>Exceptions.</b> An exception of a message is thrown by the call that ran the message. A suppressed exception
 * names the message and, if {@linkplain #captureStacks captured}, the stack of its sender. The looper survives: the
 * next call continues with the next message. An exception of an idle handler, which a loop only logs, is thrown in the
 * same way after the other handlers have been called; as in a loop, the handler is removed.
 *
 * <p><b>Endless tasks.</b> A call that runs more messages than its {@linkplain #limit limits} allow throws an {@link
 * IllegalStateException} that lists the most frequent tasks; the remaining messages stay in the queue.
 *
 * <p><b>Threads.</b> Any thread may send. One thread at a time may drive the looper, not necessarily the thread that
 * created it. While a thread runs a message, it is the looper's thread for {@link Looper#myLooper()} and {@link
 * Looper#isCurrentThread()}. A message cannot drive the looper that runs it. Test loopers share no state, so tests may
 * run in parallel.
 */
public final class TestLooper implements AutoCloseable {
    private static final int LIMIT_PER_INSTANT = 100_000;
    private static final int LIMIT_PER_CALL = 10_000_000;

    /** The number of messages that an error lists. */
    private static final int SHOWN = 10;

    private final TestClock clock = new TestClock();
    private final Looper looper;
    private final MessageQueue queue;
    private final TestLooperManager manager;
    private final AtomicBoolean driven = new AtomicBoolean();

    private int limitPerInstant = LIMIT_PER_INSTANT;
    private int limitPerCall = LIMIT_PER_CALL;
    private boolean emptyOnClose;

    /** True from the call of the idle handlers until the next message. */
    private boolean pausing;

    private boolean closed;

    /** Creates a looper with a lock-free queue, on a clock that shows one second. */
    public TestLooper() {
        this(QueueKind.LOCK_FREE);
    }

    /**
     * Creates a looper on a clock that shows one second.
     *
     * @param kind the kind of the queue
     */
    public TestLooper(QueueKind kind) {
        looper = Looper.create(
                LooperOptions.defaults().withQueue(kind).withClock(clock).withWaker(TestWaker::new));
        queue = looper.getQueue();
        manager = new TestLooperManager(looper);
    }

    /** A waker that ignores wakes, and throws on await, since only loops sleep. */
    private static final class TestWaker implements Waker {
        @Override
        public void await(long nanos) {
            throw new AssertionError("only loops sleep");
        }

        @Override
        public void wake() {}
    }

    // ---- for the code under test

    /**
     * Returns the looper, for which the test can create handlers.
     *
     * @return the same looper each time
     */
    public Looper looper() {
        return looper;
    }

    /**
     * Returns the clock, for code under test that reads the time. Any thread may read it.
     *
     * @return the same clock each time
     */
    public Clock clock() {
        return clock;
    }

    // ---- settings

    /**
     * Sets the number of messages after which a call fails as endless.
     *
     * @param perInstant the maximum number of messages in one call at one instant of the clock; 100,000 by default
     * @param perCall the maximum number of messages in one call; 10,000,000 by default
     */
    public void limit(int perInstant, int perCall) {
        if (perInstant < 1 || perCall < 1) {
            throw new IllegalArgumentException("limits " + perInstant + " and " + perCall + ": expected at least 1");
        }
        limitPerInstant = perInstant;
        limitPerCall = perCall;
    }

    /**
     * Sets whether {@link #close()} fails if messages still wait.
     *
     * @param required true if the queue must be empty on close; false by default
     */
    public void requireEmptyOnClose(boolean required) {
        emptyOnClose = required;
    }

    /**
     * Sets whether to record the sender's stack of each message sent from now on, for {@link PendingMessage#postedAt}
     * and for the exceptions of messages.
     *
     * @param on true to record stacks, which takes some microseconds per message; false by default
     */
    public void captureStacks(boolean on) {
        if (on) {
            looper.addObserver(PostSiteObserver.OBSERVER);
        } else {
            looper.removeObserver(PostSiteObserver.OBSERVER);
        }
    }

    // ---- driving

    /**
     * Runs the next message if it is due. If no message is due, a loop would pause here, so the idle handlers are
     * called, once until the next message has run. If they have sent a message that is due, it runs.
     *
     * @return true if a message has run; false if no message is due, barriers block all due messages, or the looper has
     *     quit
     * @throws IllegalStateException if this looper is closed or is already being driven
     */
    public boolean runOne() {
        return drive(() -> {
                    Message next = takeDue();
                    if (next == null) {
                        return 0;
                    }
                    run(next);
                    return 1;
                })
                > 0;
    }

    /**
     * Runs all messages that are due now, including messages sent meanwhile. The clock does not advance.
     *
     * @return the number of messages that have run
     * @throws IllegalStateException if the tasks are endless, or if this looper is closed or is already being driven
     */
    public int runUntilIdle() {
        return drive(() -> runUntil(clock.nanos()));
    }

    /**
     * Advances the clock, and runs each message that becomes due at exactly its time. The clock ends after 292 years;
     * longer durations stop there.
     *
     * @param time the duration, not negative
     * @return the number of messages that have run, including messages due at the beginning and at the end
     * @throws IllegalArgumentException if the time is negative
     * @throws IllegalStateException if the tasks are endless, or if this looper is closed or is already being driven
     */
    public int advanceBy(Duration time) {
        long target = clock.after(time);
        return drive(() -> runUntil(target));
    }

    /**
     * Advances the clock to a given time, as {@link #advanceBy} does.
     *
     * @param uptimeMillis the time, in milliseconds on the clock, as in {@link Handler#postAtTime(Runnable, long)}
     * @return the number of messages that have run, including messages due at the beginning and at the end
     * @throws IllegalArgumentException if the clock has already passed that time
     * @throws IllegalStateException if the tasks are endless, or if this looper is closed or is already being driven
     */
    public int advanceTo(long uptimeMillis) {
        long target = clock.at(uptimeMillis);
        return drive(() -> runUntil(target));
    }

    /**
     * Advances the clock without running messages, as if the looper's thread were preempted. A message calls this
     * method to simulate its own run time. Messages that become due run late, when the looper is driven again. May be
     * called by a message, or while no thread drives the looper.
     *
     * @param time the duration, not negative
     * @throws IllegalArgumentException if the time is negative
     */
    public void elapse(Duration time) {
        clock.moveTo(clock.after(time));
    }

    /** Runs work that only one thread at a time may perform. */
    private int drive(IntSupplier work) {
        hold("drive", "elapse() lets time pass");
        try {
            if (closed) {
                throw new IllegalStateException("This TestLooper is closed");
            }
            return work.getAsInt();
        } finally {
            driven.set(false);
        }
    }

    /** Prevents two threads from driving at once, and a message from driving or closing its own looper. */
    private void hold(String purpose, String instead) {
        if (!driven.compareAndSet(false, true)) {
            throw new IllegalStateException(
                    Looper.myLooper() == looper
                            ? "A message cannot " + purpose + " the looper that runs it; " + instead
                            : "Cannot " + purpose + " this looper while another thread drives it");
        }
    }

    /** Runs messages like a loop until the given time, without sleeping. */
    private int runUntil(long target) {
        MessageLimit count = new MessageLimit(clock, limitPerInstant, limitPerCall);
        for (; ; ) {
            Message next = takeDue();
            if (next != null) {
                count.add(() -> PendingMessage.of(next).task());
                run(next);
                count.check();
                continue;
            }
            long deadline = queue.pollResult.deadline;
            if (queue.pollResult.ended || deadline == NEVER || deadline > target) {
                clock.moveTo(target); // unless a message has advanced the clock further
                return count.inCall();
            }
            clock.moveTo(deadline);
        }
    }

    /** Takes the next due message; calls the idle handlers at the beginning of a pause, as next() does. */
    private @Nullable Message takeDue() {
        Message message = manager.poll();
        if (message == null && queue.pollResult.ended) {
            queue.release();
        } else if (message == null && queue.pollResult.idle && !pausing) {
            pausing = true;
            looper.runBound(this::runIdleHandlers);
            message = manager.poll();
        }
        if (message != null) {
            pausing = false;
        }
        return message;
    }

    /** Calls all idle handlers, then throws the first failure, with the others suppressed in it. */
    @SuppressWarnings("ReferenceEquality") // several handlers may throw the same object
    private void runIdleHandlers() {
        List<Throwable> thrown = new ArrayList<>();
        queue.runIdleHandlers((handler, t) -> {
            t.addSuppressed(new Posted("by an idle handler, which has been removed: " + handler, List.of()));
            thrown.add(t);
        });
        if (thrown.isEmpty()) {
            return;
        }
        Throwable first = thrown.get(0);
        thrown.stream().skip(1).filter(other -> other != first).forEach(first::addSuppressed);
        TestLooper.<RuntimeException>rethrow(first);
    }

    /** Throws an exception that may be checked, as the handler threw it. */
    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void rethrow(Throwable thrown) throws T {
        throw (T) thrown;
    }

    @SuppressWarnings("CatchingUnchecked") // rethrown with a label
    private void run(Message message) {
        try {
            manager.execute(message);
        } catch (Throwable thrown) {
            thrown.addSuppressed(posted(PendingMessage.of(message)));
            throw thrown;
        } finally {
            manager.recycle(message);
        }
    }

    /**
     * The label of a failure, added as a suppressed exception: a message, with the sender's stack if it was captured,
     * or an idle handler.
     */
    private static final class Posted extends RuntimeException {
        private static final long serialVersionUID = 1;

        Posted(String what, List<StackTraceElement> postedAt) {
            super(what, null, false, true);
            setStackTrace(postedAt.toArray(new StackTraceElement[0]));
        }
    }

    private static Posted posted(PendingMessage message) {
        return new Posted(message.toString(), message.postedAt());
    }

    // ---- queries

    /**
     * Lists the waiting messages, including barriers, in the order of delivery.
     *
     * @return an immutable copy
     * @see MessageQueue#pending()
     */
    public List<PendingMessage> pending() {
        return queue.pending();
    }

    /**
     * Quits the looper; its handlers refuse messages from now on. Closing again has no effect.
     *
     * @throws AssertionError if messages wait and {@link #requireEmptyOnClose} has been set; its suppressed exceptions
     *     name the first ten messages, with the stacks of their senders if {@linkplain #captureStacks captured}
     * @throws IllegalStateException if the looper is being driven
     */
    @Override
    public void close() {
        hold("close", "looper().quit() ends it");
        try {
            if (!closed) {
                closed = true;
                end();
            }
        } finally {
            driven.set(false);
        }
    }

    private void end() {
        List<PendingMessage> left = pending();
        looper.quitAbruptly();
        manager.release();
        if (emptyOnClose && !left.isEmpty()) {
            AssertionError error = new AssertionError("messages left in the queue at " + clock.uptimeMillis() + " ms: "
                    + left.size() + "; the suppressed exceptions name the first of them");
            left.stream().limit(SHOWN).map(TestLooper::posted).forEach(error::addSuppressed);
            throw error;
        }
    }

    /** Describes the looper and its time. */
    @Override
    public String toString() {
        return "TestLooper at " + clock.uptimeMillis() + " ms, " + looper;
    }
}
