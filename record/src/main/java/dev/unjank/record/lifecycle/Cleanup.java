package dev.unjank.record.lifecycle;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Runs several clean-up steps, each of them even if others fail, and collects the failures. Not thread-safe.
 *
 * {@snippet :
 * new Cleanup().then(this::turnOff).then(files::close).finish();
 * }
 */
public final class Cleanup {
    private final List<Throwable> failures = new ArrayList<>();

    /** A clean-up step. */
    @FunctionalInterface
    public interface Step {
        /** Runs the step. */
        void run() throws Exception;
    }

    /** Starts a clean-up without a failure. */
    public Cleanup() {}

    /** Starts a clean-up after a failure, which comes first. */
    public static Cleanup after(Throwable failure) {
        Cleanup cleanup = new Cleanup();
        cleanup.failures.add(failure);
        return cleanup;
    }

    /** Runs a step. */
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

    /** Ends the clean-up, and throws {@link #failure} if a step has failed. */
    public void finish() throws IOException {
        if (!failures.isEmpty()) {
            throw failure();
        }
    }

    /**
     * The collected failures as one exception: the failure itself if it is the only one and an {@link IOException},
     * otherwise an exception with all messages. There must be at least one failure.
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

    /** The message of a failure for users; with the type if it is not an {@link IOException}. */
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
