package dev.unjank.record.thread;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A daemon thread that does something in rounds until it is told to stop, or a round fails. What its last round has written is
 * seen by whoever has called {@link #stop}.
 */
public final class Rounds {
    private final Round round;
    private final Thread thread;
    private volatile boolean stopping;
    private volatile @Nullable Throwable failure;

    private Rounds(String name, Round round) {
        this.round = round;
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
         * @throws Exception if there is to be no further round; kept for {@link Rounds#failure}
         */
        long run() throws Exception;
    }

    /**
     * Starts a thread with the first round.
     *
     * @param name the thread's name
     * @param round what it does
     * @return the thread, to be stopped
     */
    public static Rounds start(String name, Round round) {
        Rounds rounds = new Rounds(name, round);
        rounds.thread.start();
        return rounds;
    }

    private void run() {
        try {
            while (!stopping) {
                LockSupport.parkNanos(this, round.run());
            }
        } catch (Throwable e) {
            failure = e;
        }
    }

    /** Ends the thread after the round that is under way, and waits for that, also if the caller is interrupted meanwhile. */
    public void stop() {
        stopping = true;
        LockSupport.unpark(thread);
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
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
