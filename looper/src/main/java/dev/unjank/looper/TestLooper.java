package dev.unjank.looper;

import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntSupplier;
import java.util.stream.Collectors;

/**
 * A looper for tests: its clock stands still until the test moves it, and its messages run when the test says so, on the
 * thread that says so.
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
 * <p>Moving the clock runs every message at exactly its own time, in order, messages that are sent meanwhile included, and
 * never sleeps: an hour of timeouts takes no time. Idle handlers are called where a real loop would call them, once in a
 * pause. Order, barriers, removal and quitting are those of the queue itself, not of an imitation.
 *
 * <p><b>Exceptions.</b> What a message throws comes out of the call that ran it, with a suppressed exception that says
 * which message it was and, if {@linkplain #captureStacks captured}, where it was sent; the looper has not died, and the next call goes on with the next message.
 *
 * <p><b>Tasks without end.</b> A call that runs more messages than its {@linkplain #limit limits} allow throws an {@link
 * IllegalStateException} that says which tasks ran most often, and leaves the rest in the queue.
 *
 * <p><b>Threads.</b> Any thread may send. One thread at a time may drive: it need not be the one that made this, and while
 * it runs a message it is the looper's thread, to {@link Looper#myLooper()} and {@link Looper#isCurrentThread()}. A message
 * cannot drive the looper that runs it. Test loopers share nothing with each other, so tests may run in parallel.
 */
public final class TestLooper implements AutoCloseable {
    /** The first time that the clock shows. Not 0, so that a time before it can be tried. */
    private static final long START_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final int LIMIT_PER_INSTANT = 100_000;
    private static final int LIMIT_PER_CALL = 10_000_000;

    /** How many messages or tasks an error lists. */
    private static final int SHOWN = 10;

    private final TestClock clock = new TestClock();
    private final Looper looper;
    private final MessageQueue queue;
    private final TestLooperManager manager;
    private final AtomicBoolean driven = new AtomicBoolean();

    private int limitPerInstant = LIMIT_PER_INSTANT;
    private int limitPerCall = LIMIT_PER_CALL;
    private boolean emptyOnClose;

    /** True from the call of the idle handlers to the next message. */
    private boolean pausing;

    private boolean closed;

    /** Makes a looper with a lock-free queue, on a clock that shows one second. */
    public TestLooper() {
        this(QueueKind.LOCK_FREE);
    }

    /**
     * Makes a looper on a clock that shows one second.
     *
     * @param kind the kind of its queue
     */
    public TestLooper(QueueKind kind) {
        looper = Looper.create(
                LooperOptions.defaults().withQueue(kind).withClock(clock).withWaker(TestWaker::new));
        queue = looper.getQueue();
        manager = new TestLooperManager(looper);
    }

    private static final class TestClock implements Clock {
        private volatile long nanos = START_NANOS;

        @Override
        public long nanos() {
            return nanos;
        }
    }

    /** Nobody sleeps here, so nobody is woken. */
    private static final class TestWaker implements Waker {
        @Override
        public void await(long nanos) {
            throw new IllegalStateException("A TestLooper does not sleep");
        }

        @Override
        public void wake() {}
    }

    // ---- what the code under test gets

    /**
     * Returns the looper, to make handlers for.
     *
     * @return the same looper each time
     */
    public Looper looper() {
        return looper;
    }

    /**
     * Returns the clock, for code under test that asks for the time. Any thread may read it.
     *
     * @return the same clock each time
     */
    public Clock clock() {
        return clock;
    }

    // ---- how it is to behave

    /**
     * Sets how many messages may run before this looks like tasks that go on for ever.
     *
     * @param perInstant the most messages in one call while the clock stands, at first 100,000
     * @param perCall the most messages in one call, at first 10,000,000
     * @throws IllegalArgumentException if one is less than 1
     */
    public void limit(int perInstant, int perCall) {
        if (perInstant < 1 || perCall < 1) {
            throw new IllegalArgumentException("limits " + perInstant + " and " + perCall + ": expected at least 1");
        }
        limitPerInstant = perInstant;
        limitPerCall = perCall;
    }

    /**
     * Sets whether {@link #close()} fails if something still waits.
     *
     * @param required true if the queue is to be empty then; false at first
     */
    public void requireEmptyOnClose(boolean required) {
        emptyOnClose = required;
    }

    /**
     * Sets whether to note, for each message that is sent from now on, where it was sent: for {@link
     * PendingMessage#postedAt} and for the exceptions of messages.
     *
     * @param on true to note the sender's stack, which takes some microseconds for each message; false at first
     */
    public void captureStacks(boolean on) {
        if (on) {
            looper.addObserver(PostedAt.OBSERVER);
        } else {
            looper.removeObserver(PostedAt.OBSERVER);
        }
    }

    // ---- driving

    /**
     * Runs the next message if it is due. If nothing is due, this is where a loop pauses: idle handlers are called, once
     * until a message has run again, and if they have sent something that is due, it runs.
     *
     * @return true if a message has run; false if none is due and let through by barriers, or the looper has quit
     * @throws IllegalStateException if this is closed, or being driven already
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
     * Runs what is due now, and what is sent to be run now meanwhile. The clock stands.
     *
     * @return how many messages have run
     * @throws IllegalStateException if the tasks go on for ever, or this is closed, or being driven already
     */
    public int runUntilIdle() {
        return drive(() -> runUntil(clock.nanos));
    }

    /**
     * Moves the clock on, and stops on the way whenever a message is due, to run it at exactly its time.
     *
     * @param time how far, not negative
     * @return how many messages have run, those due at the beginning and at the end included
     * @throws IllegalArgumentException if the time is negative
     * @throws IllegalStateException if the tasks go on for ever, or this is closed, or being driven already
     */
    public int advanceBy(Duration time) {
        long target = after(time);
        return drive(() -> runUntil(target));
    }

    /**
     * Moves the clock on as {@link #advanceBy} does, to a given time.
     *
     * @param uptimeMillis until when, in milliseconds on the clock, as in {@link Handler#postAtTime(Runnable, long)}
     * @return how many messages have run, those due at the beginning and at the end included
     * @throws IllegalArgumentException if that time is past
     * @throws IllegalStateException if the tasks go on for ever, or this is closed, or being driven already
     */
    public int advanceTo(long uptimeMillis) {
        long target = TimeUnit.MILLISECONDS.toNanos(uptimeMillis);
        if (target < clock.nanos) {
            throw new IllegalArgumentException(
                    uptimeMillis + " ms is past: the clock shows " + clock.uptimeMillis() + " ms");
        }
        return drive(() -> runUntil(target));
    }

    /**
     * Lets time pass in which this looper does nothing, as if its thread got no processor. Called by a message, it says
     * how long that message takes. What becomes due runs late, when the looper is driven again. To be called by a message,
     * or while nobody drives.
     *
     * @param time how long, not negative
     * @throws IllegalArgumentException if the time is negative
     */
    public void elapse(Duration time) {
        clock.nanos = after(time);
    }

    private long after(Duration time) {
        Objects.requireNonNull(time, "time");
        if (time.isNegative()) {
            throw new IllegalArgumentException("Time does not go backwards: " + time);
        }
        return Math.addExact(clock.nanos, time.toNanos());
    }

    /** Keeps two threads from driving at once, and a message from driving its own looper. */
    private int drive(IntSupplier work) {
        if (!driven.compareAndSet(false, true)) {
            throw new IllegalStateException(
                    "This looper is being driven already, by a message that it runs or by another"
                            + " thread; a message that takes time calls elapse");
        }
        try {
            return work.getAsInt();
        } finally {
            driven.set(false);
        }
    }

    /** What a loop does until the given time, without its sleep. */
    private int runUntil(long target) {
        Run run = new Run();
        for (; ; ) {
            Message next = takeDue();
            if (next != null) {
                run.count(next);
                run(next);
                run.check();
                continue;
            }
            long deadline = queue.outlook.deadline;
            if (queue.outlook.ended || deadline == MessageQueue.NEVER || deadline > target) {
                // a message may have let more time pass than was asked for
                clock.nanos = Math.max(clock.nanos, target);
                return run.inCall;
            }
            clock.nanos = Math.max(clock.nanos, deadline);
        }
    }

    /** Takes the next message that is due; at the beginning of a pause calls the idle handlers, as next() does. */
    private @Nullable Message takeDue() {
        Message message = manager.poll();
        if (message == null && queue.outlook.ended) {
            queue.release();
        } else if (message == null && queue.outlook.idle && !pausing) {
            pausing = true;
            looper.byHand(queue::runIdleHandlers);
            message = manager.poll();
        }
        if (message != null) {
            pausing = false;
        }
        return message;
    }

    @SuppressWarnings("CatchingUnchecked") // it is only labelled on its way
    private void run(Message message) {
        try {
            manager.execute(message);
        } catch (Throwable thrown) {
            thrown.addSuppressed(new Posted(PendingMessage.of(message)));
            throw thrown;
        } finally {
            manager.recycle(message);
        }
    }

    /** Says which message a failure is about. Its stack is that of the sender, if captured. */
    private static final class Posted extends RuntimeException {
        private static final long serialVersionUID = 1;

        Posted(PendingMessage message) {
            super(message.toString(), null, false, true);
            setStackTrace(message.postedAt().toArray(new StackTraceElement[0]));
        }
    }

    /** Counts what one call runs. */
    private final class Run {
        private int inCall;
        private int atInstant;
        private long instant = clock.nanos;
        /** How often each task has run since half of a limit was reached: a task without end leads this list. */
        private final Map<String, Integer> tasks = new HashMap<>();

        void count(Message message) {
            if (clock.nanos != instant) {
                instant = clock.nanos;
                atInstant = 0;
            }
            inCall++;
            atInstant++;
            if (atInstant > limitPerInstant / 2 || inCall > limitPerCall / 2) {
                tasks.merge(PendingMessage.of(message).task(), 1, Integer::sum);
            }
        }

        void check() {
            if (atInstant > limitPerInstant || inCall > limitPerCall) {
                throw new IllegalStateException(
                        "No end in sight: " + inCall + " messages have run in this call, the last "
                                + atInstant + " of them at " + clock.uptimeMillis() + " ms. Most often of late ran:"
                                + mostOften());
            }
        }

        private String mostOften() {
            return tasks.entrySet().stream()
                    .sorted(Map.Entry.<String, Integer>comparingByValue(Comparator.reverseOrder()))
                    .limit(SHOWN)
                    .map(e -> "\n  " + e.getValue() + " times " + e.getKey())
                    .collect(Collectors.joining());
        }
    }

    // ---- asking

    /**
     * Lists what waits, barriers included, in the order of delivery.
     *
     * @return an immutable list that does not follow what happens later
     * @see MessageQueue#pending()
     */
    public List<PendingMessage> pending() {
        return queue.pending();
    }

    /**
     * Quits the looper, whose handlers refuse messages from now on. May be called again.
     *
     * @throws AssertionError if something waits, and {@link #requireEmptyOnClose} has been set; the first ten are
     *     suppressed in it, with the stacks of their senders if {@linkplain #captureStacks captured}
     * @throws IllegalStateException if the looper is being driven
     */
    @Override
    public void close() {
        drive(() -> {
            if (!closed) {
                closed = true;
                List<PendingMessage> left = pending();
                looper.die();
                manager.release();
                if (emptyOnClose && !left.isEmpty()) {
                    AssertionError error = new AssertionError(left.size() + " left in the queue at "
                            + clock.uptimeMillis() + " ms, the first of them suppressed here");
                    left.stream().limit(SHOWN).map(Posted::new).forEach(error::addSuppressed);
                    throw error;
                }
            }
            return 0;
        });
    }

    /** Describes the looper and its time. */
    @Override
    public String toString() {
        return "TestLooper at " + clock.uptimeMillis() + " ms, " + looper;
    }
}
