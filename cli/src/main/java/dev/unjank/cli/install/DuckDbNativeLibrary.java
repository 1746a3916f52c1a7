package dev.unjank.cli.install;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Moves DuckDB's native library for this machine out of its jar, and removes the others. The driver would unpack a
 * library in the jar (70 MB) to a temporary file at each start; without one it loads the library next to the jar.
 */
final class DuckDbNativeLibrary {
    private static final String JAR = "duckdb_jdbc-";
    private static final String LIBRARY = "libduckdb_java.so_";

    private DuckDbNativeLibrary() {}

    /** The driver's name for an operating system and CPU architecture. */
    static String platform(String system, String processor) {
        String os = system.toLowerCase(Locale.ROOT);
        String family = os.startsWith("windows") ? "windows" : os.startsWith("mac") ? "macos" : "linux";
        String arch = processor.toLowerCase(Locale.ROOT);
        return family + "_" + (arch.equals("aarch64") || arch.equals("arm64") ? "arm64" : "amd64");
    }

    /** Unpacks the library. A jar without a library for the platform stays unchanged. */
    static void unpack(Path jar, String platform) throws IOException {
        if (!String.valueOf(jar.getFileName()).startsWith(JAR)) {
            return;
        }
        try (ZipFile from = new ZipFile(jar.toFile())) {
            ZipEntry library = from.getEntry(LIBRARY + platform);
            if (library == null) {
                return;
            }
            try (InputStream in = from.getInputStream(library)) {
                Files.copy(in, jar.resolveSibling(library.getName()), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        LibraryFolderPreparation.rewrite(
                jar,
                (from, entry) ->
                        entry.getName().startsWith(LIBRARY) ? null : LibraryFolderPreparation.content(from, entry));
    }
}
