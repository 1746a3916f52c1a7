package dev.unjank.trace.read;

import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.model.UnusableTraceException;
import dev.unjank.trace.read.input.ByteSource;
import dev.unjank.trace.read.perfetto.ftrace.ParallelBundleImport;
import dev.unjank.trace.text.ByteCounts;
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
import java.util.stream.Collectors;

/**
 * Reads traces: Perfetto's, systrace as text, as a page and as {@code atrace -z} writes it, and recordings of the Flight
 * Recorder; plain, gzipped, or in a zip archive. What a file is, its first bytes tell and not its name.
 *
 * <p>The file is mapped and walked once; what is read goes straight into columns. Events of kinds that the model has no
 * place for are passed over, damaged ones are left out and counted, and a file that ends within a packet gives what comes
 * before. What a person should know of this stands in {@link Trace#warnings}.
 *
 * <p>Traces of several files, or of an archive, become one, on one clock: that of the first that knows the boot clock, or else of
 * the first. Another is moved by what both say of the boot clock, the monotonic clock or the wall clock. They are taken to be of
 * one machine: threads of equal numbers are one.
 *
 * <p>The larger a file is, the more threads read it, as far as there are processors. Whoever reads many traces at once says so
 * ({@link #readAlone}), and each is then read by the thread that asks for it.
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

    /** A ring of files may have hundreds. */
    private static final int MOST_NAMES = 8;

    private TraceReader() {}

    /**
     * Reads a trace.
     *
     * @param file a trace, of any format
     * @return the trace; its warnings say what could not be read
     * @throws UnusableTraceException if the file contains no readable trace; the message is one line
     * @throws IOException if reading the file fails
     */
    public static Trace read(Path file) throws IOException, UnusableTraceException {
        return read(List.of(file), ParallelBundleImport.Sharing.DEFAULT);
    }

    /**
     * Reads what was recorded of one machine into several files.
     *
     * @param files at least one trace, of any formats
     * @return all of them in one; its name is all of theirs
     * @throws UnusableTraceException if there is no trace to be had from one of the files, or if nothing tells how their times
     *     are to be compared, with a message of one line for people
     * @throws IOException if reading a file fails
     */
    public static Trace read(List<Path> files) throws IOException, UnusableTraceException {
        if (files.isEmpty()) {
            throw new IllegalArgumentException("no files");
        }
        return read(files, ParallelBundleImport.Sharing.DEFAULT);
    }

    /**
     * Reads a trace on the calling thread alone. That takes longer than {@link #read(Path)} while other processors are idle, and less
     * processor time in all.
     *
     * @param file a trace, of any format
     * @return the same as {@link #read(Path)} gives
     * @throws UnusableTraceException if the file contains no readable trace; the message is one line
     * @throws IOException if reading the file fails
     */
    public static Trace readAlone(Path file) throws IOException, UnusableTraceException {
        return read(List.of(file), ParallelBundleImport.Sharing.ALONE);
    }

    /**
     * Whether a file is something else by its first bytes: text that is none of a trace's, an image, a program, a document. What may be
     * a trace that was cut or damaged is not, nor is an empty file.
     *
     * @param file a file
     * @return true if nobody would take it for a trace
     * @throws IOException if it cannot be read
     */
    public static boolean isOtherFormat(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return TraceFileFormat.of(in.readNBytes(ByteSource.HEAD_BYTES)).isOtherFormat();
        }
    }

    public static Trace read(Path file, ParallelBundleImport.Sharing sharing)
            throws IOException, UnusableTraceException {
        return read(List.of(file), sharing);
    }

    private static Trace read(List<Path> files, ParallelBundleImport.Sharing sharing) throws IOException {
        try (TraceBuilder builder = new TraceBuilder(shortNames(files))) {
            TraceMerger merge = new TraceMerger(builder, files.size() > 1);
            long size = 0;
            for (Path file : files) {
                size += readInto(merge, file, sharing);
            }
            builder.sizeBytes(size);
            merge.finish();
            return sharing.isSingleThreaded() ? builder.buildAlone() : builder.build();
        } catch (OutOfMemoryError e) {
            throw tooLarge(files.getFirst(), e);
        }
    }

    private static long readInto(TraceMerger merge, Path file, ParallelBundleImport.Sharing sharing)
            throws IOException {
        try {
            return readFile(merge, file, sharing);
        } catch (NoSuchFileException e) {
            throw new UnusableTraceException(file + ": there is no such file", e);
        } catch (AccessDeniedException e) {
            throw new UnusableTraceException(file + ": no permission to read it", e);
        } catch (OutOfMemoryError e) {
            throw tooLarge(file, e);
        } catch (InternalError e) {
            // How the JVM says that a page of a mapped file could not be had.
            throw new UnusableTraceException(file + ": became shorter or unreadable while it was being read", e);
        }
    }

    private static long readFile(TraceMerger merge, Path file, ParallelBundleImport.Sharing sharing)
            throws IOException {
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
            new TraceFileReader(merge, UNPACKED_AT_LEAST + MAX_RATIO * size, sharing).read(file.toString(), bytes);
            return size;
        }
    }

    private static UnusableTraceException tooLarge(Path file, OutOfMemoryError e) {
        return new UnusableTraceException(
                "%s: needs more memory than the %s that this program may use; give it more with -Xmx"
                        .formatted(file, ByteCounts.megabytes(Runtime.getRuntime().maxMemory())),
                e);
    }

    private static String shortNames(List<Path> files) {
        String names =
                files.stream().limit(MOST_NAMES).map(TraceReader::shortName).collect(Collectors.joining(" + "));
        return files.size() <= MOST_NAMES ? names : names + " + " + (files.size() - MOST_NAMES) + " more";
    }

    private static String shortName(Path file) {
        Path name = file.getFileName();
        return name == null ? file.toString() : name.toString();
    }
}
