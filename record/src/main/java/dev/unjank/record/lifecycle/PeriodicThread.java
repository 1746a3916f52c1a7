package dev.unjank.record.lifecycle;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A daemon thread that runs a task periodically until it is stopped or the task fails. The effects of the last round
 * are visible to the caller of {@link #stop}.
 */
public final class PeriodicThread {
    /** A time limit longer than any round. */
    private static final Duration ALWAYS = Duration.ofDays(1);

    private final Round round;
    private final Consumer<Throwable> onFailure;
    private final Thread thread;
    private volatile boolean stopping;
    private volatile @Nullable Throwable failure;

    private PeriodicThread(String name, Round round, Consumer<Throwable> onFailure) {
        this.round = round;
        this.onFailure = onFailure;
        thread = new Thread(this::run, name);
        thread.setDaemon(true);
    }

    /** The periodic task. */
    @FunctionalInterface
    public interface Round {
        /** Runs the task once, and returns the pause before the next round, in ns. */
        long run() throws Exception;
    }

    /**
     * Starts a thread. {@code onFailure} receives the exception of a failed round, in the same thread, which then ends.
     */
    public static PeriodicThread start(String name, Round round, Consumer<Throwable> onFailure) {
        PeriodicThread rounds = new PeriodicThread(name, round, onFailure);
        rounds.thread.start();
        return rounds;
    }

    private void run() {
        try {
            while (!stopping) {
                long rest = round.run();
                if (!stopping) { // a wait in the round may have used up the permit that stop() gives
                    LockSupport.parkNanos(this, rest);
                }
            }
        } catch (Throwable e) {
            failure = e;
            onFailure.accept(e);
        }
    }

    /** Ends the thread after the current round, and waits for its end even if the caller is interrupted. */
    public void stop() {
        boolean _ = stop(ALWAYS);
    }

    /** Ends the thread after the current round, and waits for a limited time; false if the thread has not ended yet. */
    public boolean stop(Duration most) {
        stopping = true;
        LockSupport.unpark(thread);
        boolean interrupted = false;
        long start = System.nanoTime();
        long rest = most.toNanos();
        while (thread.isAlive() && rest > 0) {
            try {
                thread.join(Duration.ofNanos(rest));
            } catch (InterruptedException e) {
                interrupted = true;
            }
            rest = most.toNanos() - (System.nanoTime() - start);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return !thread.isAlive();
    }

    /** The exception of a round that has ended the thread, null if none has failed. */
    public @Nullable Throwable failure() {
        return failure;
    }
}
