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
 * when it goes on. From {@link #hurry} on all questions together have a fixed time, and each a moment at least; a question to a target that did
 * not answer the one before has a second at most.
 */
final class TargetDeadline {
    private static final long STARTING_NANOS = TimeUnit.SECONDS.toNanos(15);

    /** For a target of which it is known that it does not answer. */
    private static final long LITTLE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final long STEP_MILLIS = 50;

    /** What a question has in any case. */
    private static final Duration MOMENT = Duration.ofMillis(100);

    private final int pid;
    private final Supplier<@Nullable StoppedProcess> standstill;
    private final LongSupplier clock;
    private final long endNanos;

    /** How long a question may take. */
    private volatile long most = STARTING_NANOS;

    /** When the recording began to end; {@link Long#MAX_VALUE} as long as it has not. */
    private volatile long ending = Long.MAX_VALUE;

    /** It did not answer when it was asked last. */
    private volatile boolean isLost;

    /**
     * With a process, by the system's clock.
     *
     * @param pid the process
     * @param end how long all questions together may take from {@link #hurry} on
     */
    TargetDeadline(int pid, Duration end) {
        this(pid, end, () -> StoppedProcess.of(pid), System::nanoTime);
    }

    /**
     * The same as far as others tell.
     *
     * @param end how long all questions together may take from {@link #hurry} on
     * @param standstill tells why the process stands still, if it does
     * @param clock the time in ns, as {@link System#nanoTime}
     */
    TargetDeadline(int pid, Duration end, Supplier<@Nullable StoppedProcess> standstill, LongSupplier clock) {
        this.pid = pid;
        endNanos = end.toNanos();
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
        Duration rest = Duration.ofNanos(endNanos - (clock.getAsLong() - ending));
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
        Thread.ofPlatform().daemon().name("ask-target").start(task);
        long begun = clock.getAsLong();
        long ran = begun;
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    T answer = task.get(STEP_MILLIS, TimeUnit.MILLISECONDS);
                    isLost = false;
                    return answer;
                } catch (TimeoutException e) {
                    long now = clock.getAsLong();
                    ran = standstill.get() == null ? now : ran;
                    if (isOver(begun, ran, now) && task.cancel(true)) {
                        isLost = true;
                        throw noAnswer(now - begun);
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
            boolean isOverForAll = now - ending > endNanos && now - begun > MOMENT.toNanos();
            return isOverForAll || now - ran > LITTLE_NANOS || (isLost && now - begun > LITTLE_NANOS);
        }
        long given = most;
        return given != Long.MAX_VALUE && (now - ran > LITTLE_NANOS || now - begun > (isLost ? LITTLE_NANOS : given));
    }

    private IOException noAnswer(long nanos) {
        StoppedProcess why = standstill.get();
        return why == null
                ? new NoAnswerException(
                        String.format(Locale.ROOT, "process %d has not answered for %.1f s", pid, nanos / 1e9))
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
