package dev.unjank.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Takes DuckDB's native libraries out of its jar and puts the one for this machine beside it. With the library in the jar the
 * driver would unpack its 70 MB into a temporary file at each start; finding none there, it takes the one beside the jar.
 */
public final class NativeLibrary {
    private static final String JAR = "duckdb_jdbc-";
    private static final String LIBRARY = "libduckdb_java.so_";

    private NativeLibrary() {}

    /**
     * Unpacks in a folder of jars. What is unpacked already stays as it is.
     *
     * @param args the folder
     * @throws IOException if a jar cannot be read or written
     */
    public static void main(String[] args) throws IOException {
        for (Path jar : jars(Path.of(args[0]))) {
            unpack(jar, platform(System.getProperty("os.name"), System.getProperty("os.arch")));
        }
    }

    private static List<Path> jars(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().startsWith(JAR)
                            && file.getFileName().toString().endsWith(".jar"))
                    .toList();
        }
    }

    /** How the driver names a system and a processor. */
    static String platform(String system, String processor) {
        String os = system.toLowerCase(Locale.ROOT);
        String family = os.startsWith("windows") ? "windows" : os.startsWith("mac") ? "macos" : "linux";
        String arch = processor.toLowerCase(Locale.ROOT);
        return family + "_" + (arch.equals("aarch64") || arch.equals("arm64") ? "arm64" : "amd64");
    }

    /** Leaves a jar as it is if it has no library for the platform. */
    static void unpack(Path jar, String platform) throws IOException {
        Path lean = jar.resolveSibling(jar.getFileName() + ".tmp");
        try (ZipFile from = new ZipFile(jar.toFile())) {
            ZipEntry library = from.getEntry(LIBRARY + platform);
            if (library == null) {
                return;
            }
            try (InputStream in = from.getInputStream(library)) {
                Files.copy(in, jar.resolveSibling(library.getName()), StandardCopyOption.REPLACE_EXISTING);
            }
            try (OutputStream file = Files.newOutputStream(lean);
                    ZipOutputStream to = new ZipOutputStream(file)) {
                for (ZipEntry entry : from.stream().toList()) {
                    if (!entry.getName().startsWith(LIBRARY)) {
                        to.putNextEntry(new ZipEntry(entry.getName()));
                        try (InputStream in = from.getInputStream(entry)) {
                            in.transferTo(to);
                        }
                        to.closeEntry();
                    }
                }
            }
        }
        Files.move(lean, jar, StandardCopyOption.REPLACE_EXISTING);
    }
}
