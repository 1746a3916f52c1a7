package dev.unjank.query.engine;

import dev.unjank.query.print.SqlQuoting;
import dev.unjank.trace.tempfile.ProcessTempFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * Configuration of one DuckDB database.
 *
 * @param connection properties of the connection
 * @param statements run after connecting; the last one locks the configuration
 * @param folder the folder for files that statements read and write; null to disable file access
 */
public record DuckDbSettings(
        Properties connection,
        List<String> statements,
        @Nullable Path folder) {
    private static final String PREFIX = ".unjank-";
    private static final String SUFFIX = ".tmp";

    /** A folder for data that does not fit into memory; DuckDB creates and removes it. */
    private static final String TEMPORARY = ProcessTempFiles.name(PREFIX, SUFFIX);

    /** Copies the statements. */
    public DuckDbSettings {
        statements = List.copyOf(statements);
    }

    /**
     * Settings that lock the configuration and limit file access.
     *
     * @param memoryLimit in bytes; 0 for half of the machine's memory
     * @param threads 0 for one per processor
     * @param outputFile a file that may be written even without a folder, or null
     * @param statements run before the configuration is locked
     */
    public static DuckDbSettings of(
            long memoryLimit, int threads, @Nullable Path folder, @Nullable Path outputFile, List<String> statements) {
        return new DuckDbSettings(
                connection(memoryLimit, threads, folder), locked(statements, folder, outputFile), folder);
    }

    /** Deletes the temporary folders of processes that have ended. */
    void deleteLeftovers() {
        if (folder != null) {
            ProcessTempFiles.deleteLeftovers(folder, PREFIX, SUFFIX);
        }
    }

    private static Properties connection(long memoryLimit, int threads, @Nullable Path folder) {
        Properties connection = new Properties();
        connection.setProperty("errors_as_json", "true");
        // With streamed results a failure would lose its reason.
        connection.setProperty("jdbc_stream_results", "false");
        connection.setProperty("autoinstall_known_extensions", "false");
        connection.setProperty("autoload_known_extensions", "false");
        connection.setProperty("memory_limit", memoryLimit == 0 ? "50%" : memoryLimit + "B");
        if (threads > 0) {
            connection.setProperty("threads", Integer.toString(threads));
        }
        connection.setProperty(
                "temp_directory",
                folder == null ? "" : folder.resolve(TEMPORARY).toString());
        return connection;
    }

    private static List<String> locked(List<String> settings, @Nullable Path folder, @Nullable Path outputFile) {
        List<String> statements = new ArrayList<>(settings);
        if (outputFile != null) {
            statements.add("SET allowed_paths = ["
                    + SqlQuoting.text(outputFile.toAbsolutePath().toString()) + "]");
        }
        if (folder != null) {
            statements.add("SET allowed_directories = [" + SqlQuoting.text(folder.toString()) + "]");
        }
        statements.add("SET enable_external_access = false");
        statements.add("SET lock_configuration = true");
        return statements;
    }
}
