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
 * Takes DuckDB's native libraries out of its jar and puts the one for this machine beside it. With the library in the jar the
 * driver would unpack its 70 MB into a temporary file at each start; finding none there, it takes the one beside the jar.
 */
final class DuckDbNativeLibrary {
    private static final String JAR = "duckdb_jdbc-";
    private static final String LIBRARY = "libduckdb_java.so_";

    private DuckDbNativeLibrary() {}

    /** How the driver names a system and a processor. */
    static String platform(String system, String processor) {
        String os = system.toLowerCase(Locale.ROOT);
        String family = os.startsWith("windows") ? "windows" : os.startsWith("mac") ? "macos" : "linux";
        String arch = processor.toLowerCase(Locale.ROOT);
        return family + "_" + (arch.equals("aarch64") || arch.equals("arm64") ? "arm64" : "amd64");
    }

    /** Leaves a jar as it is if it is not DuckDB's, or has no library for the platform. */
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
