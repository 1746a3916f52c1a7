package dev.unjank.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets a command end in good order when the user interrupts it. The virtual machine ends when its shutdown hooks have: this one
 * waits until the command has closed what it had open.
 */
final class Interruption implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 30;

    private final CountDownLatch wanted = new CountDownLatch(1);
    private final CountDownLatch done = new CountDownLatch(1);
    private final Thread hook = new Thread(this::run, "interruption");

    private Interruption() {}

    /** Listens from now on. */
    static Interruption listen() {
        Interruption interruption = new Interruption();
        Runtime.getRuntime().addShutdownHook(interruption.hook);
        return interruption;
    }

    private void run() {
        wanted.countDown();
        try {
            boolean _ = done.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits for an interruption, but not for longer; true if there is one. */
    boolean await(long millis) {
        try {
            return wanted.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    /** Whether the user has interrupted the command. */
    boolean isWanted() {
        return wanted.getCount() == 0;
    }

    /** Lets the virtual machine end, or go on as if nobody had listened. */
    @Override
    public void close() {
        done.countDown();
        if (!isWanted()) {
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException e) {
                // it ends already
            }
        }
    }
}
