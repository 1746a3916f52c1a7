package dev.unjank.record;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * What a process prints that a test waits for. A read cannot be interrupted: a process that does not answer is killed.
 */
public final class ProcessOutput {
    /** Longer than anything takes on a machine that is busy with other things. */
    private static final long LONGEST_SECONDS = 300;

    private ProcessOutput() {}

    /**
     * Waits for a line, and fails if it is another one.
     *
     * @param process who is to print it
     * @param out its standard output
     * @param wanted the line
     */
    public static void expect(ProcessHandle process, BufferedReader out, String wanted) throws IOException {
        CompletableFuture<Void> deadline = CompletableFuture.runAsync(
                () -> kill(process), CompletableFuture.delayedExecutor(LONGEST_SECONDS, TimeUnit.SECONDS));
        String line;
        try {
            line = out.readLine();
        } finally {
            deadline.cancel(false);
        }
        if (!wanted.equals(line)) {
            throw new IOException("the program says " + line + " instead of " + wanted
                    + (deadline.isDone() && !deadline.isCancelled() ? ": nothing for " + LONGEST_SECONDS + " s" : ""));
        }
    }

    /** Kills a process and those that it has started, which have its output as well. */
    public static void kill(ProcessHandle process) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    /** Waits for the end of a process that has been asked to end. */
    public static void awaitEnd(Process process) throws IOException {
        try {
            if (!process.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS)) {
                kill(process.toHandle());
                throw new IOException("process " + process.pid() + " does not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
