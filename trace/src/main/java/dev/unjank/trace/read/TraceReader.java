package dev.unjank.trace.read;

import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.model.TraceNote;
import dev.unjank.trace.model.UnusableTraceException;
import dev.unjank.trace.read.common.ByteCounts;
import dev.unjank.trace.read.common.Parallelism;
import dev.unjank.trace.read.input.ByteSource;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.Collectors;

/**
 * Reads trace files: Perfetto traces, systrace as text, as an HTML page or as written by {@code atrace -z}, and JDK
 * Flight Recorder recordings; plain, gzipped, or in a zip archive. The format is detected by content, not by name.
 *
 * <p>The file is mapped and read once, directly into columns. Damaged events, and events of types that the model does
 * not contain, are skipped; they have a counter each. A file that ends within a packet yields everything before it.
 * {@link Trace#warnings} lists problems that affect results.
 *
 * <p>Traces of several files, or of an archive, are merged. Times are converted to the clock of the first
 * trace that contains the boot clock, or of the first trace if none does, by a clock that both contain: the boot clock,
 * the monotonic clock or the wall clock. They must be recorded on one machine: equal tids are the same thread.
 *
 * <p>Large files are read by several threads, as many as there are processors. Callers that read many traces at once
 * pass an executor, such as {@code Runnable::run}, to {@link #read(Path, Executor)}.
 *
 * <p>Memory: the model of a real trace takes less than eight bytes per byte of the (unpacked) trace while it is
 * built, and less afterwards. No file, however damaged, takes more than {@value #WORST_BYTES_PER_BYTE} bytes per
 * byte, and a compressed file is unpacked to at most {@value #MAX_RATIO} times its size plus 16 MiB.
 */
public final class TraceReader {
    /** Far above real traces, which compress to a sixth. */
    static final int MAX_RATIO = 32;

    static final int WORST_BYTES_PER_BYTE = 64;

    private static final long UNPACKED_AT_LEAST = 16 << 20;

    /** The maximum number of file names in the name of a trace; a recording may have hundreds of files. */
    private static final int MAX_NAMES = 8;

    private TraceReader() {}

    /**
     * Reads a trace.
     *
     * @param file a trace, of any format
     * @return the trace, with warnings about records that could not be read
     * @throws UnusableTraceException if the file contains no readable trace; the message is one line
     * @throws IOException if reading the file fails
     */
    public static Trace read(Path file) throws IOException, UnusableTraceException {
        return read(List.of(file), Parallelism.of(ForkJoinPool.commonPool()));
    }

    /**
     * Reads and merges several files recorded on one machine.
     *
     * @param files at least one trace, of any formats
     * @return the merged trace, named after all files
     * @throws UnusableTraceException if a file contains no readable trace or the traces share no clock; the message
     *     is one line
     * @throws IOException if reading a file fails
     */
    public static Trace read(List<Path> files) throws IOException, UnusableTraceException {
        if (files.isEmpty()) {
            throw new IllegalArgumentException("no files");
        }
        return read(files, Parallelism.of(ForkJoinPool.commonPool()));
    }

    /**
     * Reads files as {@link #read(List)} does, but a single empty file, of 0 bytes, is a trace without events, as in
     * Perfetto's trace processor.
     *
     * @param files at least one trace, of any formats
     * @return the merged trace, with a warning if the file is empty
     * @throws UnusableTraceException as for {@link #read(List)}
     * @throws IOException if reading a file fails
     */
    public static Trace readOrEmpty(List<Path> files) throws IOException, UnusableTraceException {
        if (files.size() == 1 && Files.isRegularFile(files.getFirst()) && Files.size(files.getFirst()) == 0) {
            try (TraceBuilder builder = new TraceBuilder(shortNames(files))) {
                builder.warn(TraceNote.of("emptyFile", files.getFirst()));
                return builder.build();
            }
        }
        return read(files);
    }

    /**
     * Reads a trace with threads of an executor.
     *
     * @param file a trace, of any format
     * @param executor runs parts of the work, besides the calling thread; {@code Runnable::run} reads on the calling
     *     thread only, which takes less processor time in total
     * @return the same trace as from {@link #read(Path)}
     * @throws UnusableTraceException if the file contains no readable trace; the message is one line
     * @throws IOException if reading the file fails
     */
    public static Trace read(Path file, Executor executor) throws IOException, UnusableTraceException {
        return read(List.of(file), Parallelism.of(executor));
    }

    /**
     * Whether the first bytes of a file show that it is not a trace: other text, an image, a program, a document.
     *
     * @param file a file
     * @return true for a file of another format; false for truncated or damaged traces and for empty files
     * @throws IOException if it cannot be read
     */
    public static boolean isOtherFormat(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return TraceFileFormat.of(in.readNBytes(ByteSource.HEAD_BYTES)).isOtherFormat();
        }
    }

    static Trace read(Path file, Parallelism parallelism) throws IOException, UnusableTraceException {
        return read(List.of(file), parallelism);
    }

    private static Trace read(List<Path> files, Parallelism parallelism) throws IOException {
        return read(files, parallelism, TraceReader::map);
    }

    /** Reads files that a function maps. */
    static Trace read(List<Path> files, Parallelism parallelism, FileMapping mapping) throws IOException {
        try (TraceBuilder builder = new TraceBuilder(shortNames(files))) {
            TraceMerger merge = new TraceMerger(builder, files.size() > 1);
            long size = 0;
            for (Path file : files) {
                size += readInto(merge, file, parallelism, mapping);
            }
            builder.sizeBytes(size);
            merge.finish();
            if (builder.isEmpty() && builder.isTruncated()) {
                throw new UnusableTraceException(files.getFirst() + (files.size() > 1 ? " and the other files" : "")
                        + ": truncated before its first event; copy or record it again");
            }
            return builder.build(parallelism.executor());
        } catch (OutOfMemoryError e) {
            throw tooLarge(files.getFirst(), e);
        }
    }

    private static long readInto(TraceMerger merge, Path file, Parallelism parallelism, FileMapping mapping)
            throws IOException {
        try {
            return readFile(merge, file, parallelism, mapping);
        } catch (NoSuchFileException e) {
            throw new UnusableTraceException(file + ": no such file", e);
        } catch (AccessDeniedException e) {
            throw new UnusableTraceException(file + ": permission denied", e);
        } catch (OutOfMemoryError e) {
            throw tooLarge(file, e);
        } catch (InternalError e) {
            // The JVM's error for a page of a mapped file that cannot be read.
            throw new UnusableTraceException(file + ": truncated or unreadable while it was being read", e);
        }
    }

    private static long readFile(TraceMerger merge, Path file, Parallelism parallelism, FileMapping mapping)
            throws IOException {
        if (Files.isDirectory(file)) {
            throw new UnusableTraceException(file + ": a directory, not a trace file");
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
                Arena arena = Arena.ofShared()) {
            long size = channel.size();
            if (size == 0) {
                throw new UnusableTraceException(file + ": empty file; record it again");
            }
            MemorySegment bytes = mapping.map(channel, size, arena);
            new TraceFileReader(merge, UNPACKED_AT_LEAST + MAX_RATIO * size, parallelism).read(file.toString(), bytes);
            return size;
        }
    }

    static MemorySegment map(FileChannel channel, long size, Arena arena) throws IOException {
        return channel.map(FileChannel.MapMode.READ_ONLY, 0, size, arena);
    }

    /** Maps a file of {@code size} bytes; a test truncates it afterwards. */
    interface FileMapping {
        MemorySegment map(FileChannel channel, long size, Arena arena) throws IOException;
    }

    private static UnusableTraceException tooLarge(Path file, OutOfMemoryError e) {
        return new UnusableTraceException(
                "%s: needs more memory than the heap of %s; increase it with -Xmx"
                        .formatted(
                                file, ByteCounts.megabytes(Runtime.getRuntime().maxMemory())),
                e);
    }

    private static String shortNames(List<Path> files) {
        String names =
                files.stream().limit(MAX_NAMES).map(TraceReader::shortName).collect(Collectors.joining(" + "));
        return files.size() <= MAX_NAMES ? names : names + " + " + (files.size() - MAX_NAMES) + " more";
    }

    private static String shortName(Path file) {
        Path name = file.getFileName();
        return name == null ? file.toString() : name.toString();
    }
}
