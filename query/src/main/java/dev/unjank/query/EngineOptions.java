package dev.unjank.query;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Limits of an {@link Engine}.
 *
 * @param memoryLimit bytes for tables and running queries; 0 for half of the machine's memory
 * @param threads threads that run a query; 0 for one per processor
 * @param folder the folder for files that statements read and write, and for temporary files when memory is short; null
 *     to disable file access
 * @param outputFile a file that may be written even without a folder; null for none
 */
public record EngineOptions(
        long memoryLimit,
        int threads,
        @Nullable Path folder,
        @Nullable Path outputFile) {
    /** Half of the memory, all processors, no file access. */
    public static final EngineOptions DEFAULT = new EngineOptions(0, 0, null, null);

    /** Validates the arguments. */
    public EngineOptions {
        if (memoryLimit < 0 || threads < 0) {
            throw new IllegalArgumentException("memoryLimit " + memoryLimit + ", threads " + threads);
        }
    }

    /**
     * A copy with another folder.
     *
     * @param where an existing folder
     * @return options with the folder's real path
     * @throws IOException if the folder does not exist
     */
    public EngineOptions withFolder(Path where) throws IOException {
        return new EngineOptions(memoryLimit, threads, where.toRealPath(), outputFile);
    }
}
