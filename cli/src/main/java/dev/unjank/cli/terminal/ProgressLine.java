package dev.unjank.cli.terminal;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A progress line on standard error: appears after one second, and is erased by {@link #close}. Not printed without a
 * terminal.
 */
public final class ProgressLine implements AutoCloseable {

    private static final long DELAY_MILLIS = 1_000;
    private static final long REFRESH_MILLIS = 250;

    private final Terminal terminal;
    private final String what;
    private final @Nullable Thread thread;

    private ProgressLine(Terminal terminal, String what) {
        this.terminal = terminal;
        this.what = what;
        this.thread = terminal.showsProgress()
                ? Thread.ofPlatform().daemon().name("progress").start(this::run)
                : null;
    }

    /** Starts the line. */
    public static ProgressLine show(Terminal terminal, String what) {
        return new ProgressLine(terminal, what);
    }

    private void run() {
        long start = System.nanoTime();
        boolean isShown = false;
        try {
            Thread.sleep(DELAY_MILLIS);
            while (true) {
                terminal.progress(String.format(Locale.ROOT, "%s ... %.0f s", what, (System.nanoTime() - start) / 1e9));
                isShown = true;
                Thread.sleep(REFRESH_MILLIS);
            }
        } catch (InterruptedException e) { // by close()
            if (isShown) {
                terminal.progress("");
            }
        }
    }

    @Override
    public void close() {
        if (thread == null) {
            return;
        }
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
