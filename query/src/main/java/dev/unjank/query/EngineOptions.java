package dev.unjank.query;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What an engine may use.
 *
 * @param memoryLimit bytes for tables and for what queries keep meanwhile; 0 for half of the machine's memory
 * @param threads how many threads run a query; 0 for one per processor
 * @param folder where statements may read and write files, and the engine keeps temporary ones when memory is short; null if
 *     they may touch none
 * @param outputFile the one file that may be written even without a folder, or null
 */
public record EngineOptions(
        long memoryLimit,
        int threads,
        @Nullable Path folder,
        @Nullable Path outputFile) {
    /** Half of the memory, all processors, no file. */
    public static final EngineOptions DEFAULT = new EngineOptions(0, 0, null, null);

    /** Checks the arguments. */
    public EngineOptions {
        if (memoryLimit < 0 || threads < 0) {
            throw new IllegalArgumentException("memoryLimit " + memoryLimit + ", threads " + threads);
        }
    }

    /**
     * The same with a folder for statements.
     *
     * @param where an existing folder, by any name
     * @return options with its real name
     * @throws IOException if it has none
     */
    public EngineOptions withFolder(Path where) throws IOException {
        return new EngineOptions(memoryLimit, threads, where.toRealPath(), outputFile);
    }
}
