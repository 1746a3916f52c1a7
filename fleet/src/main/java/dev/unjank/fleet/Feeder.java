package dev.unjank.fleet;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * Brings the files of a fleet to the pool, no faster than it works: leaves out what has been done, takes traces out of archives, and
 * says of what is no file that it has failed. Has a thread of its own.
 */
final class Feeder {
    private final Pool pool;
    private final Seen seen;
    private final ByteBudget budget;
    private final Limits limits;
    private final Path temporary;

    /** With the folder for what comes out of archives. */
    Feeder(Pool pool, Seen seen, ByteBudget budget, Limits limits, Path temporary) {
        this.pool = pool;
        this.seen = seen;
        this.budget = budget;
        this.limits = limits;
        this.temporary = temporary;
    }

    void feed(Inputs inputs) throws IOException, InterruptedException {
        inputs.forEach(this::feed);
    }

    private void feed(Path file) throws IOException, InterruptedException {
        if (Archive.isNamedLikeOne(file) && Files.isRegularFile(file)) {
            feedArchive(file);
        } else if (seen.add(file.toString())) {
            feedFile(file);
        }
    }

    private void feedFile(Path file) throws InterruptedException {
        long bytes = 0;
        String reason;
        try {
            bytes = Files.size(file);
            reason = Files.isRegularFile(file) ? null : "is no regular file";
        } catch (NoSuchFileException _) {
            reason = "there is no such file";
        } catch (AccessDeniedException _) {
            reason = "no permission to read it";
        } catch (IOException e) {
            reason = String.valueOf(e.getMessage());
        }
        if (reason == null) {
            pool.submit(new TraceFile(file.toString(), file, bytes), budget.take(bytes));
        } else {
            pool.submit(Outcome.failed(file.toString(), bytes, reason));
        }
    }

    private void feedArchive(Path archive) throws IOException, InterruptedException {
        try {
            Archive.forEach(archive, entry -> feedEntry(archive, entry));
        } catch (UnwritableException e) {
            throw e.getCause();
        } catch (IOException e) {
            if (seen.add(archive.toString())) {
                String reason = e.getMessage() == null ? e.toString() : e.getMessage();
                pool.submit(Outcome.failed(archive.toString(), Files.size(archive), reason));
            }
        }
    }

    /** The disk is full, or the like: no fault of the archive. */
    private static final class UnwritableException extends UncheckedIOException {
        private static final long serialVersionUID = 1;

        UnwritableException(IOException cause) {
            super(cause);
        }
    }

    private void feedEntry(Path archive, Archive.Entry entry) throws IOException, InterruptedException {
        String name = archive + "!/" + entry.name();
        if (!seen.add(name)) {
            return;
        }
        Path file = unwritableIfItFails(() -> Files.createTempFile(temporary, "trace", null));
        Runnable delete = () -> {
            boolean _ = file.toFile().delete();
        };
        long bytes;
        try {
            bytes = copy(entry, file);
        } catch (IOException | InterruptedException | RuntimeException e) {
            delete.run();
            throw e;
        }
        if (bytes > limits.bytes()) {
            delete.run();
            pool.submit(Outcome.failed(name, entry.bytes(), "larger than %,d bytes".formatted(limits.bytes())));
            return;
        }
        Runnable room = budget.take(bytes);
        pool.submit(new TraceFile(name, file, bytes), () -> {
            delete.run();
            room.run();
        });
    }

    /** Copies as much as a trace may have, and one byte more to show that there is more. */
    private long copy(Archive.Entry entry, Path file) throws IOException, InterruptedException {
        byte[] buffer = new byte[1 << 16];
        long total = 0;
        try (InputStream in = entry.content();
                OutputStream out = unwritableIfItFails(() -> Files.newOutputStream(file))) {
            for (int n = in.read(buffer); n >= 0 && total <= limits.bytes(); n = in.read(buffer)) {
                int count = n;
                unwritableIfItFails(() -> {
                    out.write(buffer, 0, count);
                    return out;
                });
                total += n;
            }
        }
        return total;
    }

    @FunctionalInterface
    private interface Writing<T> {
        T run() throws IOException;
    }

    private static <T> T unwritableIfItFails(Writing<T> writing) {
        try {
            return writing.run();
        } catch (IOException e) {
            throw new UnwritableException(e);
        }
    }
}
