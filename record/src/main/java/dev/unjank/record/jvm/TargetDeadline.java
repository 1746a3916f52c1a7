package dev.unjank.record.jvm;

import dev.unjank.record.helper.UserFixableException;
import dev.unjank.record.linux.StoppedProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How long a target is given to answer. One that is stopped, be it by a signal, a debugger or the control group of its container, may never do, and whoever
 * asks it must not wait for that. So each question is asked by a thread of its own, which is left behind if there is no answer.
 *
 * <p>While a recording starts, an answer must come soon. While it goes on there is time: a target that is stopped for a while is recorded again
 * when it goes on. From {@link #hurry} on all waits for the target together have a fixed time, and each a moment at least; a question to a target that did
 * not answer the one before has a second at most.
 *
 * <p>What the recorder itself takes to read what it has got is no wait for the target. It has a time of its own, which begins at {@link #hurry}, too: see {@link #read}.
 */
final class TargetDeadline {
    private static final long STARTING_NANOS = TimeUnit.SECONDS.toNanos(15);

    /** For a target of which it is known that it does not answer. */
    private static final long LITTLE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final long STEP_MILLIS = 50;

    /** What a question has in any case. */
    private static final Duration MOMENT = Duration.ofMillis(100);

    /** What reading has in any case: on a busy machine the end of other sources may take up all of the time before it begins. */
    private static final Duration LEAST_READING = Duration.ofMillis(300);

    private final int pid;
    private final Supplier<@Nullable StoppedProcess> standstill;
    private final LongSupplier clock;
    private final long endNanos;
    private final long readingNanos;

    /** How long a question may take. */
    private volatile long most = STARTING_NANOS;

    /** When the recording began to end; {@link Long#MAX_VALUE} as long as it has not. */
    private volatile long ending = Long.MAX_VALUE;

    /** It did not answer when it was asked last. */
    private volatile boolean isLost;

    /** How many waits for the target are under way. */
    private int waits;

    /** When the first of them began. */
    private long waitsSince;

    /** How long the target was waited for since the recording began to end, without those waits. */
    private long waited;

    /**
     * With a process, by the system's clock.
     *
     * @param pid the process
     * @param end how long the target may be waited for in total from {@link #hurry} on
     * @param reading how much longer the recorder may read
     */
    TargetDeadline(int pid, Duration end, Duration reading) {
        this(pid, end, reading, () -> StoppedProcess.of(pid), System::nanoTime);
    }

    /**
     * The same as far as others tell.
     *
     * @param end how long the target may be waited for in total from {@link #hurry} on
     * @param reading how much longer the recorder may read
     * @param standstill tells why the process stands still, if it does
     * @param clock the time in ns, as {@link System#nanoTime}
     */
    TargetDeadline(
            int pid,
            Duration end,
            Duration reading,
            Supplier<@Nullable StoppedProcess> standstill,
            LongSupplier clock) {
        this.pid = pid;
        endNanos = end.toNanos();
        readingNanos = reading.toNanos();
        this.standstill = standstill;
        this.clock = clock;
    }

    /** The target was given up. */
    static final class NoAnswerException extends IOException {
        private static final long serialVersionUID = 1;

        private NoAnswerException(String message) {
            super(message);
        }
    }

    /** The recorder has not finished reading in time. */
    static final class TooLongException extends IOException {
        private static final long serialVersionUID = 1;

        private final double seconds;

        private TooLongException(double seconds) {
            super(String.format(Locale.ROOT, "the recorder did not finish reading within %.1f s", seconds));
            this.seconds = seconds;
        }

        /** How long it has read, without its waits for the target. */
        double seconds() {
            return seconds;
        }
    }

    /** Something that the target has to answer. */
    interface Question<T> {
        /** Asks; closes what it has opened if the thread is interrupted. */
        T ask() throws IOException;
    }

    /** The recording goes on: there is time. */
    void goOn() {
        most = Long.MAX_VALUE;
    }

    /** The recording ends: there is little time, also for what is being asked. */
    synchronized void hurry() {
        if (ending == Long.MAX_VALUE) {
            ending = clock.getAsLong();
        }
    }

    /** Whether the recording ends. */
    boolean isHurrying() {
        return ending != Long.MAX_VALUE;
    }

    /** Begins nothing new when the user has ended the recording while it was starting. */
    void requireNotHurrying() throws IOException {
        if (isHurrying()) {
            throw new IOException("the recording was ended while it was starting");
        }
    }

    /** A wait for the target that is under way. */
    interface Wait extends AutoCloseable {
        /** It is over. */
        @Override
        void close();
    }

    /** A wait for the target begins that is no question; it counts as one does. */
    Wait begin() {
        synchronized (this) {
            if (waits++ == 0) {
                waitsSince = clock.getAsLong();
            }
        }
        return this::end;
    }

    private synchronized void end() {
        long now = clock.getAsLong();
        waited = waited(now);
        waits--;
        waitsSince = now;
    }

    /** How long the target was waited for since the recording began to end. */
    private synchronized long waited(long now) {
        boolean counts = waits > 0 && isHurrying();
        return waited + (counts ? Math.max(0, now - Math.max(waitsSince, ending)) : 0);
    }

    /**
     * How long something may take that is to be over when the questions are.
     *
     * @param longest the most
     * @return that, or what is left of the time for the end
     */
    Duration rest(Duration longest) {
        if (!isHurrying()) {
            return longest;
        }
        Duration rest = Duration.ofNanos(endNanos - waited(clock.getAsLong()));
        Duration least = rest.compareTo(MOMENT) < 0 ? MOMENT : rest;
        return least.compareTo(longest) < 0 ? least : longest;
    }

    /** Does not even begin to ask a target that stands still: what is begun may be done long after, when it goes on. */
    void requireGoing() throws IOException {
        StoppedProcess why = standstill.get();
        if (why != null) {
            throw refusal(why);
        }
    }

    /**
     * Asks, and waits for the answer.
     *
     * @param question asked by another thread
     * @return the answer
     * @throws IOException if there is none in time, with a message that says why; or what the question has thrown
     */
    <T> T ask(Question<T> question) throws IOException {
        FutureTask<T> task = new FutureTask<>(question::ask);
        try (Wait _ = begin()) {
            Thread.ofPlatform().daemon().name("ask-target").start(task);
            Asked asked = new Asked(clock.getAsLong());
            T answer = await(task, () -> asked.isOver() && task.cancel(true) ? asked.givenUp() : null);
            isLost = false;
            return answer;
        }
    }

    /** A question, and when the target was last seen not to stand still. */
    private final class Asked {
        private final long begun;
        private long ran;
        private long now;

        Asked(long begun) {
            this.begun = begun;
            ran = begun;
        }

        boolean isOver() {
            now = clock.getAsLong();
            ran = standstill.get() == null ? now : ran;
            return TargetDeadline.this.isOver(begun, ran, now);
        }

        IOException givenUp() {
            isLost = true;
            return noAnswer(Math.max(now - begun, waited(now)));
        }
    }

    /**
     * Reads what the target has written, and waits for the end of that. When the recording ends, and the time for that is over, the reading is left behind.
     *
     * @param reading done by another thread; asks the target by itself
     * @param beforeGivingUp runs before the reading is left behind
     * @return what it returns
     * @throws TooLongException if it takes too long
     * @throws IOException what the reading has thrown
     */
    <T> T read(Question<T> reading, Runnable beforeGivingUp) throws IOException {
        FutureTask<T> task = new FutureTask<>(reading::ask);
        Thread.ofPlatform().daemon().name("read-recorded").start(task);
        long begun = clock.getAsLong();
        return await(task, () -> {
            long now = clock.getAsLong();
            boolean hasTime = now - ending <= endNanos + readingNanos || now - begun <= LEAST_READING.toNanos();
            if (!isHurrying() || hasTime) {
                return null;
            }
            beforeGivingUp.run();
            // Without an interrupt, which would close a file that the thread writes.
            return task.cancel(false) ? new TooLongException((now - ending - waited(now)) / 1e9) : null;
        });
    }

    /** Waits for a task, unless it is given up: with an exception that says why. */
    private static <T> T await(FutureTask<T> task, Supplier<@Nullable IOException> givingUp) throws IOException {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return task.get(STEP_MILLIS, TimeUnit.MILLISECONDS);
                } catch (TimeoutException e) {
                    IOException why = givingUp.get();
                    if (why != null) {
                        throw why;
                    }
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (ExecutionException e) {
                    throw thrown(e);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Whether to give up.
     *
     * @param begun when it was asked
     * @param ran when the target was last seen not to stand still
     */
    private boolean isOver(long begun, long ran, long now) {
        if (isHurrying()) {
            boolean isOverForAll = waited(now) > endNanos && now - begun > MOMENT.toNanos();
            return isOverForAll || now - ran > LITTLE_NANOS || (isLost && now - begun > LITTLE_NANOS);
        }
        long given = most;
        return given != Long.MAX_VALUE && (now - ran > LITTLE_NANOS || now - begun > (isLost ? LITTLE_NANOS : given));
    }

    private IOException noAnswer(long nanos) {
        StoppedProcess why = standstill.get();
        return why == null
                ? new NoAnswerException(
                        String.format(Locale.ROOT, "process %d did not answer within %.1f s", pid, nanos / 1e9))
                : refusal(why);
    }

    private IOException refusal(StoppedProcess why) {
        return new UserFixableException("process " + pid + " " + why.reason() + ", and does not answer", why.remedy());
    }

    private static IOException thrown(ExecutionException failure) {
        return switch (failure.getCause()) {
            case IOException e -> e;
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            case null, default -> new IOException(failure);
        };
    }
}
