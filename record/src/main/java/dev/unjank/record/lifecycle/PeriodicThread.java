package dev.unjank.record.lifecycle;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A daemon thread that does something in rounds until it is told to stop, or a round fails. What its last round has written is
 * seen by whoever has called {@link #stop}.
 */
public final class PeriodicThread {
    /** For whom the end of a round is only a matter of time. */
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

    /** What is done again and again. */
    @FunctionalInterface
    public interface Round {
        /**
         * Does it once.
         *
         * @return how long to rest before the next round, in ns
         * @throws Exception if there is to be no further round
         */
        long run() throws Exception;
    }

    /**
     * Starts a thread with the first round.
     *
     * @param name the thread's name
     * @param round what it does
     * @param onFailure is given what a round has thrown, by the same thread, which then ends
     * @return the thread, to be stopped
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

    /** Ends the thread after the round that is under way, and waits for that, also if the caller is interrupted meanwhile. */
    public void stop() {
        boolean _ = stop(ALWAYS);
    }

    /**
     * The same, but waits only for a while.
     *
     * @param most for how long
     * @return whether the thread has ended; if not, it does after its round
     */
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

    /**
     * Why there are no more rounds.
     *
     * @return what a round has thrown, null if none has
     */
    public @Nullable Throwable failure() {
        return failure;
    }
}
