package dev.unjank.fleet.input;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Copies traces to temporary files. Failures of writing and of reading have different exceptions. */
public final class TraceExtraction {
    private TraceExtraction() {}

    /** The source of a trace's bytes. */
    @FunctionalInterface
    public interface Origin {
        InputStream open() throws IOException;
    }

    /** The temporary file could not be written, for example since the disk is full. */
    public static final class UnwritableException extends UncheckedIOException {
        private static final long serialVersionUID = 1;

        UnwritableException(IOException cause) {
            super(cause);
        }
    }

    /**
     * Creates a file, which the caller deletes. Copies at most one byte more than the size limit, to show that the
     * limit is exceeded.
     */
    public static Path toFile(Origin origin, Path folder, long most) throws IOException {
        Path file = writing(folder, () -> Files.createTempFile(folder, "trace", null));
        boolean done = false;
        try {
            copy(origin, file, most);
            done = true;
            return file;
        } finally {
            if (!done) {
                delete(file);
            }
        }
    }

    private static void copy(Origin origin, Path file, long most) throws IOException {
        byte[] buffer = new byte[1 << 16];
        long left = most + 1;
        try (InputStream in = origin.open();
                OutputStream out = writing(file, () -> Files.newOutputStream(file))) {
            while (left > 0) {
                int count = in.read(buffer, 0, (int) Math.min(buffer.length, left));
                if (count < 0) {
                    return;
                }
                writing(file, () -> {
                    out.write(buffer, 0, count);
                    return out;
                });
                left -= count;
            }
        }
    }

    public static void delete(Path file) {
        boolean _ = file.toFile().delete();
    }

    private interface Writing<T> {
        T run() throws IOException;
    }

    private static <T> T writing(Path file, Writing<T> writing) {
        try {
            return writing.run();
        } catch (IOException e) {
            throw new UnwritableException(new IOException(file + ": " + e.getMessage(), e));
        }
    }
}
