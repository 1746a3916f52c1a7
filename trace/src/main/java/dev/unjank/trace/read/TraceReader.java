package dev.unjank.trace.read;

import dev.unjank.trace.Trace;
import dev.unjank.trace.TraceBuilder;
import dev.unjank.trace.UnusableTraceException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;

/**
 * Reads trace files: Perfetto's format, plain or gzipped, with or without compressed packets in it.
 *
 * <p>The file is mapped and walked once; what is read goes straight into columns. Events of kinds that the model has no
 * place for are passed over, damaged ones are left out and counted, and a file that ends within a packet gives what comes
 * before. What a person should know of this stands in {@link Trace#warnings}.
 *
 * <p>Memory: the model of a real trace takes less than eight bytes per byte of the (unpacked) trace while it is built, and
 * less when it is done. No file, however broken, makes more than {@value #WORST_BYTES_PER_BYTE} out of one, and no more is
 * unpacked from a compressed file than {@value #MAX_RATIO} times its size and 16 MiB.
 */
public final class TraceReader {
    /** A factor that no real trace comes near: it compresses to a sixth. */
    static final int MAX_RATIO = 32;

    static final int WORST_BYTES_PER_BYTE = 64;

    private static final long UNPACKED_AT_LEAST = 16 << 20;

    private TraceReader() {}

    /**
     * Reads a trace.
     *
     * @param file a Perfetto trace, plain or gzipped
     * @return the trace; its warnings say what could not be read
     * @throws UnusableTraceException if there is no trace to be had from the file, with a message of one line for people
     * @throws IOException if reading the file fails
     */
    public static Trace read(Path file) throws IOException, UnusableTraceException {
        return read(file, DeferredBundles.Sharing.DEFAULT);
    }

    static Trace read(Path file, DeferredBundles.Sharing sharing) throws IOException, UnusableTraceException {
        try {
            return readFile(file, sharing);
        } catch (NoSuchFileException e) {
            throw new UnusableTraceException(file + ": there is no such file", e);
        } catch (AccessDeniedException e) {
            throw new UnusableTraceException(file + ": no permission to read it", e);
        } catch (OutOfMemoryError e) {
            throw new UnusableTraceException(
                    "%s: needs more memory than the %s that this program may use; give it more with -Xmx"
                            .formatted(file, megabytes(Runtime.getRuntime().maxMemory())),
                    e);
        } catch (InternalError e) {
            // How the JVM says that a page of a mapped file could not be had.
            throw new UnusableTraceException(file + ": became shorter or unreadable while it was being read", e);
        }
    }

    private static Trace readFile(Path file, DeferredBundles.Sharing sharing) throws IOException {
        if (Files.isDirectory(file)) {
            throw new UnusableTraceException(file + ": is a directory, not a trace file");
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
                Arena arena = Arena.ofShared()) {
            long size = channel.size();
            if (size == 0) {
                throw new UnusableTraceException(file + ": is empty; record it again");
            }
            MemorySegment bytes = channel.map(FileChannel.MapMode.READ_ONLY, 0, size, arena);
            Path name = file.getFileName();
            TraceBuilder builder = new TraceBuilder(name == null ? file.toString() : name.toString());
            builder.sizeBytes(size);
            new TraceImport(file, builder, UNPACKED_AT_LEAST + MAX_RATIO * size, sharing).run(bytes);
            return builder.build();
        }
    }

    static String megabytes(long bytes) {
        return bytes < 100_000 ? bytes + " bytes" : String.format(Locale.ROOT, "%.1f MB", bytes / 1e6);
    }
}
