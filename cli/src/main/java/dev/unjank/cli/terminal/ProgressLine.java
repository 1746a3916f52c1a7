package dev.unjank.cli.terminal;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A line on a terminal's standard error that says what takes so long, from the second second on, and goes away when it is over.
 * Where no person looks it says nothing.
 */
public final class ProgressLine implements AutoCloseable {

    private static final long PATIENCE_MILLIS = 1_000;
    private static final long REFRESH_MILLIS = 250;

    private final Terminal terminal;
    private final String what;
    private final @Nullable Thread thread;

    private ProgressLine(Terminal terminal, String what) {
        this.terminal = terminal;
        this.what = what;
        this.thread = terminal.showsProgress()
                ? Thread.ofPlatform().daemon().name("progress").start(this::tell)
                : null;
    }

    /** Begins. */
    public static ProgressLine show(Terminal terminal, String what) {
        return new ProgressLine(terminal, what);
    }

    private void tell() {
        long start = System.nanoTime();
        boolean told = false;
        try {
            Thread.sleep(PATIENCE_MILLIS);
            while (true) {
                terminal.progress(String.format(Locale.ROOT, "%s ... %.0f s", what, (System.nanoTime() - start) / 1e9));
                told = true;
                Thread.sleep(REFRESH_MILLIS);
            }
        } catch (InterruptedException e) { // by close()
            if (told) {
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
