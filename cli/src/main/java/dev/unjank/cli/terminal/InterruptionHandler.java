package dev.unjank.cli.terminal;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets a command end in good order when the user interrupts it. The virtual machine ends when its shutdown hooks have: this one
 * waits until the command has closed what it had open, and has said what there was to say about that. A command that does not come to its end is
 * given up, but not as long as it gets on.
 */
public final class InterruptionHandler implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** The one of this process's command, from when it listens until it is over without one. */
    private static volatile @Nullable InterruptionHandler current;

    private final CountDownLatch wanted = new CountDownLatch(1);
    private final CountDownLatch done = new CountDownLatch(1);
    private final Thread hook = new Thread(this::run, "interruption");

    private final Duration patience;
    private volatile LongSupplier progress = () -> 0;
    private volatile Runnable onWanted = () -> {};

    /** Does not listen yet. */
    InterruptionHandler(Duration patience) {
        this.patience = patience;
    }

    /** Listens from now on. */
    public static InterruptionHandler listen() {
        return listen(PATIENCE);
    }

    /** Listens from now on, with some patience for a command that does not get on with its end. */
    public static InterruptionHandler listen(Duration patience) {
        InterruptionHandler interruption = new InterruptionHandler(patience);
        Runtime.getRuntime().addShutdownHook(interruption.hook);
        current = interruption;
        return interruption;
    }

    /** The command has ended and has said why: lets the virtual machine end if it waits for that. */
    public static void letEnd() {
        InterruptionHandler interruption = current;
        if (interruption != null) {
            interruption.done.countDown();
        }
    }

    /** Tells what grows while the command gets on with its end, which may be asked at any time by another thread. */
    public void watch(LongSupplier grows) {
        progress = grows;
    }

    /** Runs something when the command is interrupted, in another thread; at once if it has been. */
    public void onWanted(Runnable action) {
        onWanted = action;
        if (isWanted()) {
            action.run();
        }
    }

    /** The command is interrupted: waits for its end. */
    void run() {
        wanted.countDown();
        onWanted.run();
        try {
            long before;
            do {
                before = progress.getAsLong();
            } while (!done.await(patience.toNanos(), TimeUnit.NANOSECONDS) && progress.getAsLong() > before);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits for an interruption, but not for longer; true if there is one. */
    public boolean await(long millis) {
        try {
            return wanted.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    /** Whether the user has interrupted the command. */
    public boolean isWanted() {
        return wanted.getCount() == 0;
    }

    /** Goes on as if nobody had listened, if nobody has interrupted; otherwise see {@link #letEnd}. */
    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
            current = null;
        } catch (IllegalStateException e) {
            // it ends already, and waits
        }
    }

    /**
     * For a command that does not end in good order if it is interrupted: one line says so, and nothing after it, whatever the
     * command's threads or the Java VMs of a benchmark make of their end. A hook for the shutdown of the virtual machine.
     */
    public static final class LastWord extends Thread {
        private final Terminal terminal;
        private volatile boolean over;

        public LastWord(Terminal terminal) {
            super("last-word");
            this.terminal = terminal;
        }

        /** The command has come to its end: there is nothing to say. */
        public void isOver() {
            over = true;
        }

        @Override
        public void run() {
            if (current != null) {
                return; // the command says why it ends
            }
            if (!over) {
                terminal.progress("");
                terminal.err.println("unjank: interrupted before it was done");
            }
            System.err.close(); // and so whatever writes to the standard error
        }
    }
}
