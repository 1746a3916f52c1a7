package dev.unjank.trace.read.common;

import dev.unjank.trace.concurrent.TaskQueue;
import java.util.concurrent.Executor;

/**
 * The division of a file's reading among threads: the executor runs the parts, and another thread pays off from so
 * many bytes on.
 */
public record Parallelism(Executor executor, int threads, long bytesPerThread) {
    /** Starting a task and joining results costs about as much as reading a tenth of 1 MiB. */
    private static final long BYTES_PER_THREAD = 1 << 20;

    /** More threads would wait for the one that splits the file. */
    private static final int MAX_THREADS = 4;

    /** Enough ranges per thread that no thread waits long for the last. */
    private static final int RANGES_PER_THREAD = 8;

    /** Splitting takes an eighth of the time of reading. */
    private static final int PREFETCH_FACTOR = 8;

    /** For an executor; files are not divided for one that runs tasks on the calling thread. */
    public static Parallelism of(Executor executor) {
        int threads =
                TaskQueue.isDirect(executor) ? 1 : Math.min(Runtime.getRuntime().availableProcessors(), MAX_THREADS);
        return new Parallelism(executor, threads, BYTES_PER_THREAD);
    }

    /** The number of bytes of bundles in a range of a file. */
    public long bytesPerRange(long fileBytes) {
        int most = threads == 1 ? 1 : threads * RANGES_PER_THREAD;
        return fileBytes / Math.max(1, Math.min(most, fileBytes / bytesPerThread));
    }

    /** Whether a file is large enough to split it into packets ahead of the reader. */
    public boolean prefetchesPackets(long fileBytes) {
        return threads > 1 && fileBytes >= PREFETCH_FACTOR * bytesPerThread;
    }
}
