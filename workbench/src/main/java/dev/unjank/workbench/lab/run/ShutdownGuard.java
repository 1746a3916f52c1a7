package dev.unjank.workbench.lab.run;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Closes a resource in order also if a signal ends the process while the resource is open, or is being opened. */
public final class ShutdownGuard implements AutoCloseable {
    /** What takes longer to begin is left as it is. */
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
     * Guards what is about to begin and takes a while for it: if the process is to end meanwhile, it waits until {@link #keep} is called or this is closed.
     *
     * @return to be closed after the guarded thing, which may be closed by two threads at once
     */
    public static ShutdownGuard early() {
        return new ShutdownGuard();
    }

    /** It has begun. */
    public <T extends AutoCloseable> T keep(T begun) {
        guarded.complete(begun);
        return begun;
    }

    private void end() {
        try {
            guarded.get(PATIENCE_SECONDS, TimeUnit.SECONDS).close();
        } catch (Exception e) {
            // the process is ending: no caller gets the exception
        }
    }

    @Override
    public void close() {
        guarded.complete(() -> {});
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // the process is ending, and the hook does it
        }
    }
}
