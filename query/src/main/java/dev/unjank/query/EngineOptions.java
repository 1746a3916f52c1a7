package dev.unjank.query;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What an engine may use.
 *
 * @param memoryLimit bytes for tables and for what queries keep meanwhile; 0 for half of the machine's memory
 * @param threads how many threads run a query; 0 for one per processor
 * @param allowFiles whether statements may read and write files, and use temporary ones when memory is short
 * @param outputFile the one file that may be written even without {@code allowFiles}, or null
 */
public record EngineOptions(
        long memoryLimit,
        int threads,
        boolean allowFiles,
        @Nullable Path outputFile) {
    /** Half of the memory, all processors, no file. */
    public static final EngineOptions DEFAULT = new EngineOptions(0, 0, false, null);

    /** Checks the arguments. */
    public EngineOptions {
        if (memoryLimit < 0 || threads < 0) {
            throw new IllegalArgumentException("memoryLimit " + memoryLimit + ", threads " + threads);
        }
    }
}
