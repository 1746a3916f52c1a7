package dev.unjank.workbench.lab.run;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Closes a resource properly, even if a signal ends the process while the resource is open or is being opened. */
public final class ShutdownGuard implements AutoCloseable {
    /** The timeout for opening the resource; a slower one is not closed. */
    private static final long PATIENCE_SECONDS = 30;

    private final CompletableFuture<AutoCloseable> guarded = new CompletableFuture<>();
    private final Thread hook = new Thread(this::end, "shutdown-guard");

    private ShutdownGuard() {
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Closes a resource, on another thread, if the process ends before the guard is closed; close the guard first. */
    public static ShutdownGuard of(AutoCloseable guarded) {
        ShutdownGuard guard = new ShutdownGuard();
        guard.guarded.complete(guarded);
        return guard;
    }

    /**
     * Guards a resource that takes a while to open: if the process is ended meanwhile, it waits until {@link #keep} is
     * called or this is closed.
     *
     * @return the guard, to be closed after the resource, which two threads may close concurrently
     */
    public static ShutdownGuard early() {
        return new ShutdownGuard();
    }

    /** Registers the opened resource. */
    public <T extends AutoCloseable> T keep(T begun) {
        guarded.complete(begun);
        return begun;
    }

    private void end() {
        try {
            guarded.get(PATIENCE_SECONDS, TimeUnit.SECONDS).close();
        } catch (Exception e) {
            // the process is ending: the exception cannot be reported
        }
    }

    @Override
    public void close() {
        guarded.complete(() -> {});
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // the process is ending: the hook closes the resource
        }
    }
}
