package dev.unjank.cli.install;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;

/** Prepares a folder of jars for a fast start of the command. The launcher runs it after each build. */
public final class LibraryFolderPreparation {
    private LibraryFolderPreparation() {}

    /** Prepares a folder. Prepared jars stay unchanged. */
    public static void main(String[] args) throws IOException {
        for (Path jar : jars(Path.of(args[0]))) {
            DuckDbNativeLibrary.unpack(
                    jar, DuckDbNativeLibrary.platform(System.getProperty("os.name"), System.getProperty("os.arch")));
            ClassFileUpgrade.upgrade(jar);
        }
    }

    private static List<Path> jars(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".jar")).toList();
        }
    }

    /** A change of a jar's entries. */
    @FunctionalInterface
    interface Change {
        /** The new content of an entry; null to omit it. */
        byte @Nullable [] content(ZipFile jar, ZipEntry entry) throws IOException;
    }

    /** Replaces a jar by a changed copy. */
    static void rewrite(Path jar, Change change) throws IOException {
        Path rewritten = jar.resolveSibling(jar.getFileName() + ".tmp");
        try (ZipFile from = new ZipFile(jar.toFile());
                OutputStream file = Files.newOutputStream(rewritten);
                ZipOutputStream to = new ZipOutputStream(file)) {
            for (ZipEntry entry : from.stream().toList()) {
                byte[] content = change.content(from, entry);
                if (content != null) {
                    to.putNextEntry(new ZipEntry(entry.getName()));
                    to.write(content);
                    to.closeEntry();
                }
            }
        }
        Files.move(rewritten, jar, StandardCopyOption.REPLACE_EXISTING);
    }

    static byte[] content(ZipFile jar, ZipEntry entry) throws IOException {
        try (var in = jar.getInputStream(entry)) {
            return in.readAllBytes();
        }
    }
}
