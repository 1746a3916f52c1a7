package dev.unjank.cli.terminal;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jline.utils.Signals;
import org.jspecify.annotations.Nullable;

/**
 * Lets a command finish cleanly after Ctrl-C or a signal. The JVM ends when its shutdown hooks return, so this hook
 * waits until the command has closed its resources and printed its last message. It stops waiting when the command
 * makes no progress for a while.
 */
public final class InterruptionHandler implements AutoCloseable {
    private static final Duration PROGRESS_TIMEOUT = Duration.ofSeconds(30);

    private static final List<String> SIGNALS = List.of("HUP", "INT", "TERM");

    /** The handler of the running command; null before it starts and after it ends without an interrupt. */
    private static volatile @Nullable InterruptionHandler current;

    private final CountDownLatch wanted = new CountDownLatch(1);
    private final CountDownLatch done = new CountDownLatch(1);
    private final Thread hook = new Thread(this::runAsHook, "interruption");

    private final Duration progressTimeout;
    private volatile LongSupplier progress = () -> 0;
    private volatile Runnable onWanted = () -> {};

    /** The action of the signal that ends the command at once. */
    private volatile Runnable lastAction = () -> {};

    private volatile boolean isCut;
    private int signals;

    /** The number of signals that end the command at once. */
    private int mostSignals = Integer.MAX_VALUE;

    /** A handler that is not registered. */
    InterruptionHandler(Duration progressTimeout) {
        this.progressTimeout = progressTimeout;
    }

    /** Registers a handler. */
    public static InterruptionHandler listen() {
        return listen(PROGRESS_TIMEOUT);
    }

    /** Registers a handler with a limit on the time without progress. */
    public static InterruptionHandler listen(Duration progressTimeout) {
        InterruptionHandler interruption = new InterruptionHandler(progressTimeout);
        Runtime.getRuntime().addShutdownHook(interruption.hook);
        current = interruption;
        return interruption;
    }

    /** Lets the JVM end: the command has finished and printed its last message. */
    public static void letEnd() {
        InterruptionHandler interruption = current;
        if (interruption != null) {
            interruption.done.countDown();
        }
    }

    /**
     * Sets the progress counter of the command's shutdown, which grows as long as there is progress; another thread
     * reads it.
     */
    public void watch(LongSupplier counter) {
        progress = counter;
    }

    /** From now on the shutdown waits for the end of the command without a limit. */
    public void awaitEnd() {
        watch(new AtomicLong()::incrementAndGet);
    }

    /** Sets an action that runs on another thread when the command is interrupted, or immediately if it already was. */
    public void onWanted(Runnable action) {
        onWanted = action;
        if (isWanted()) {
            action.run();
        }
    }

    /**
     * From now on the next signal ends the command at once, after a message and an action. So does the second of two
     * signals that have arrived before.
     */
    public synchronized void endAtNext(Terminal terminal, Runnable action) {
        lastAction = () -> {
            ExitMessage.print(terminal);
            terminal.err.close();
            action.run(); // last: it may make the command fail
        };
        mostSignals = signals == 0 ? 1 : 2;
        cutIfTooMany();
    }

    /** Counts a signal. */
    synchronized void signal() {
        signals++;
        cutIfTooMany();
    }

    private synchronized void cutIfTooMany() {
        if (signals >= mostSignals) {
            isCut = true;
            done.countDown();
        }
    }

    /** The first signal has started the hook; the JVM ignores the others unless they have a handler. */
    private void runAsHook() {
        SIGNALS.forEach(name -> Signals.register(name, this::signal));
        run();
    }

    /** The shutdown hook: waits for the end of the command. */
    void run() {
        signal();
        wanted.countDown();
        onWanted.run();
        try {
            long before;
            do {
                before = progress.getAsLong();
            } while (!done.await(progressTimeout.toNanos(), TimeUnit.NANOSECONDS) && progress.getAsLong() > before);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (isCut) {
            lastAction.run();
        }
    }

    /** Waits for an interrupt up to a time limit; returns whether there was one. */
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

    /** Unregisters the handler. After an interrupt the JVM still waits for {@link #letEnd}. */
    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
            current = null;
        } catch (IllegalStateException e) {
            // the JVM is ending and waits for letEnd()
        }
    }

    /**
     * The shutdown hook of commands without a handler: prints that the command was interrupted, and closes standard
     * error, so that the command's threads and child processes cannot print after it.
     */
    public static final class ExitMessage extends Thread {
        private final Terminal terminal;
        private volatile boolean over;

        public ExitMessage(Terminal terminal) {
            super("exit-message");
            this.terminal = terminal;
        }

        /** Disables the message, since the command has finished. */
        public void isOver() {
            over = true;
        }

        @Override
        public void run() {
            if (current != null) {
                return; // the command prints why it ends
            }
            if (!over) {
                print(terminal);
            }
            System.err.close();
        }

        private static void print(Terminal terminal) {
            terminal.progress("");
            terminal.err.println("unjank: interrupted before the end");
        }
    }
}
