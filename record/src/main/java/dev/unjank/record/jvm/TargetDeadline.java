package dev.unjank.record.jvm;

import dev.unjank.record.helper.UserFixableException;
import dev.unjank.record.lifecycle.ClosingTask;
import dev.unjank.record.lifecycle.EndLimits;
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
 * The time limits of requests to a target. A target that is stopped by a signal, a debugger or the cgroup freezer may
 * never answer, and callers must not wait for it. So each request runs in a separate thread, which is abandoned at the
 * limit.
 *
 * <p>While a recording starts, the limit is short. During the recording there is none: a stopped target is recorded
 * again when it continues. After {@link #hurry} all waits for the target share a fixed time, and each wait gets at
 * least {@link #MOMENT}. If the target did not answer the previous request, the limit is one second.
 *
 * <p>Reading received data has a separate time limit, which also starts at {@link #hurry}: see {@link #read}.
 */
final class TargetDeadline {
    private static final long STARTING_NANOS = TimeUnit.SECONDS.toNanos(15);

    /** The limit for a target that did not answer before. */
    private static final long LITTLE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final long STEP_MILLIS = 20;

    /** The minimum time of a request. */
    private static final Duration MOMENT = EndLimits.MOMENT.minusMillis(STEP_MILLIS);

    private final int pid;
    private final Supplier<@Nullable StoppedProcess> stopped;
    private final LongSupplier clock;
    private final long endNanos;
    private final long readingNanos;

    /** The limit of a request. */
    private volatile long most = STARTING_NANOS;

    /** The time at which the recording began to end; {@link Long#MAX_VALUE} before. */
    private volatile long ending = Long.MAX_VALUE;

    /** Whether the last request had no answer. */
    private volatile boolean isLost;

    /** The number of current waits for the target. */
    private int waits;

    /** The start of the first of the current waits. */
    private long waitsSince;

    /** The total wait time since the recording began to end, without current waits. */
    private long waited;

    /** Creates the limits of a process; {@code end} is the total wait time from {@link #hurry} on. */
    TargetDeadline(int pid, Duration end, Duration reading) {
        this(pid, end, reading, () -> StoppedProcess.of(pid), System::nanoTime);
    }

    /**
     * Creates the limits of a process, for tests.
     *
     * @param end the total wait time from {@link #hurry} on
     * @param stopped returns why the process is stopped, null if it is not
     * @param clock the time in ns, as {@link System#nanoTime}
     */
    TargetDeadline(
            int pid, Duration end, Duration reading, Supplier<@Nullable StoppedProcess> stopped, LongSupplier clock) {
        this.pid = pid;
        endNanos = end.toNanos();
        readingNanos = reading.toNanos();
        this.stopped = stopped;
        this.clock = clock;
    }

    /** The failure of a request that the target did not answer in time. */
    static final class NoAnswerException extends IOException {
        private static final long serialVersionUID = 1;

        NoAnswerException(String message) {
            super(message);
        }
    }

    /** The failure of reading that the recorder did not finish in time. */
    static final class TooLongException extends IOException {
        private static final long serialVersionUID = 1;

        private final double seconds;

        private TooLongException(double seconds) {
            super(String.format(Locale.ROOT, "the recorder did not finish reading within %.1f s", seconds));
            this.seconds = seconds;
        }

        /** The reading time, without waits for the target. */
        double seconds() {
            return seconds;
        }
    }

    /** A request to the target. */
    interface Request<T> {
        /**
         * Executes the request; must close its resources if the thread is interrupted. A result that is returned too
         * late is closed.
         */
        T ask() throws IOException;
    }

    /** The recording has started: lifts the limit. */
    void goOn() {
        most = Long.MAX_VALUE;
    }

    /** The recording ends: limits current and further waits. */
    synchronized void hurry() {
        if (ending == Long.MAX_VALUE) {
            ending = clock.getAsLong();
        }
    }

    /** Whether the recording ends. */
    boolean isHurrying() {
        return ending != Long.MAX_VALUE;
    }

    /** Fails if the user has ended the recording while it was starting. */
    void requireNotHurrying() throws IOException {
        if (isHurrying()) {
            throw new IOException("the recording was interrupted while it was starting");
        }
    }

    /** A current wait for the target. */
    interface Wait extends AutoCloseable {
        /** Ends the wait. */
        @Override
        void close();
    }

    /** Begins a wait for the target that is not a request but counts as one. */
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

    /** The total wait time since the recording began to end. */
    private synchronized long waited(long now) {
        boolean counts = waits > 0 && isHurrying();
        return waited + (counts ? Math.max(0, now - Math.max(waitsSince, ending)) : 0);
    }

    /** The time for a wait: its limit, or the rest of the time for the end if that is shorter. */
    Duration rest(Duration longest) {
        if (!isHurrying()) {
            return longest;
        }
        Duration rest = Duration.ofNanos(endNanos - waited(clock.getAsLong()));
        Duration least = rest.compareTo(MOMENT) < 0 ? MOMENT : rest;
        return least.compareTo(longest) < 0 ? least : longest;
    }

    /** Fails if the target is stopped: it might execute a request long after, when it continues. */
    void requireRunning() throws IOException {
        StoppedProcess why = stopped.get();
        if (why != null) {
            throw refusal(why);
        }
    }

    /** Executes a request in another thread. Fails if there is no answer in time. */
    <T> T ask(Request<T> request) throws IOException {
        FutureTask<T> task = new ClosingTask<>(request::ask, TargetDeadline::close);
        try (Wait _ = begin()) {
            Thread.ofPlatform().daemon().name("ask-target").start(task);
            Pending pending = new Pending(clock.getAsLong());
            T answer = await(task, () -> pending.isOver() && task.cancel(true) ? pending.givenUp() : null);
            isLost = false;
            return answer;
        }
    }

    private static void close(Object result) throws Exception {
        if (result instanceof AutoCloseable resource) {
            resource.close();
        }
    }

    /** A pending request, with the time when the target was last not stopped. */
    private final class Pending {
        private final long begun;
        private long ran;
        private long now;

        Pending(long begun) {
            this.begun = begun;
            ran = begun;
        }

        boolean isOver() {
            now = clock.getAsLong();
            ran = stopped.get() == null ? now : ran;
            return TargetDeadline.this.isOver(begun, ran, now);
        }

        IOException givenUp() {
            isLost = true;
            return noAnswer(Math.max(now - begun, waited(now)));
        }
    }

    /**
     * Reads data of the target with the time limit for reading, which applies when the recording ends. Then the reading
     * thread is abandoned.
     *
     * @param reading executed by another thread; may send requests to the target
     * @throws TooLongException if it takes too long
     */
    <T> T read(Request<T> reading, Runnable beforeGivingUp) throws IOException {
        FutureTask<T> task = new FutureTask<>(reading::ask);
        Thread.ofPlatform().daemon().name("read-recorded").start(task);
        long begun = clock.getAsLong();
        return await(task, () -> {
            long now = clock.getAsLong();
            boolean hasTime =
                    now - ending <= endNanos + readingNanos || now - begun <= EndLimits.LEAST_READING.toNanos();
            if (!isHurrying() || hasTime) {
                return null;
            }
            beforeGivingUp.run();
            // without an interrupt, which would close a file that the thread writes
            return task.cancel(false) ? new TooLongException((now - ending - waited(now)) / 1e9) : null;
        });
    }

    /** Waits for a task until it is given up. */
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

    /** Whether the limit of a request is exceeded. */
    private boolean isOver(long begun, long ran, long now) {
        if (isHurrying()) {
            boolean isOverForAll = waited(now) > endNanos && now - begun > MOMENT.toNanos();
            return isOverForAll || now - ran > LITTLE_NANOS || (isLost && now - begun > LITTLE_NANOS);
        }
        long given = most;
        return given != Long.MAX_VALUE && (now - ran > LITTLE_NANOS || now - begun > (isLost ? LITTLE_NANOS : given));
    }

    private IOException noAnswer(long nanos) {
        StoppedProcess why = stopped.get();
        return why == null
                ? new NoAnswerException(
                        String.format(Locale.ROOT, "process %d did not answer within %.1f s", pid, nanos / 1e9))
                : refusal(why);
    }

    private IOException refusal(StoppedProcess why) {
        return new UserFixableException(why.message(pid), why.remedy());
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
