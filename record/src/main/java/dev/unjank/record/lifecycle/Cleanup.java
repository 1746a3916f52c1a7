package dev.unjank.record.lifecycle;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Ends several things one after the other, each of them whatever the others throw: what is not ended because something else has failed
 * is nobody's any more. For one thread.
 *
 * {@snippet :
 * new Ending().then(this::turnOff).then(files::close).finish();
 * }
 */
public final class Cleanup {
    private final List<Throwable> failures = new ArrayList<>();

    /** Ends one thing. */
    @FunctionalInterface
    public interface Step {
        /**
         * Ends it.
         *
         * @throws Exception if that fails
         */
        void run() throws Exception;
    }

    /** An orderly one. */
    public Cleanup() {}

    /**
     * One that is there because something has failed.
     *
     * @param failure the reason, told before all others
     * @return what ends the rest
     */
    public static Cleanup after(Throwable failure) {
        Cleanup ending = new Cleanup();
        ending.failures.add(failure);
        return ending;
    }

    /**
     * Ends one thing more.
     *
     * @param step how
     * @return this
     */
    public Cleanup then(Step step) {
        try {
            step.run();
        } catch (Throwable e) {
            if (!failures.contains(e)) {
                failures.add(e);
            }
        }
        return this;
    }

    /**
     * All is ended.
     *
     * @throws IOException if something has failed: see {@link #failure}
     */
    public void finish() throws IOException {
        if (!failures.isEmpty()) {
            throw failure();
        }
    }

    /**
     * What has failed. To be asked if something has.
     *
     * @return the first failure if it is of that kind and the only one; else one with the messages of all
     */
    public IOException failure() {
        if (failures.size() == 1 && failures.getFirst() instanceof IOException only) {
            return only;
        }
        IOException all =
                new IOException(failures.stream().map(Cleanup::message).collect(Collectors.joining("; ")));
        all.initCause(failures.getFirst());
        failures.stream().skip(1).forEach(all::addSuppressed);
        return all;
    }

    /**
     * What a failure is, in words for people.
     *
     * @param failure the failure
     * @return its message; of one that is none of files and machines also its kind
     */
    public static String message(Throwable failure) {
        return switch (failure) {
            case NoSuchFileException e -> e.getMessage() + ": no such file or directory";
            case AccessDeniedException e -> e.getMessage() + ": permission denied";
            default -> plain(failure);
        };
    }

    private static String plain(Throwable failure) {
        return failure instanceof IOException && failure.getMessage() != null
                ? failure.getMessage()
                : failure.toString();
    }
}
