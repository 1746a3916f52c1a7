package dev.unjank.cli.install;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DuckDbNativeLibraryTest {

    @TempDir
    Path folder;

    private Path jar(String... entries) throws Exception {
        Path jar = folder.resolve("duckdb_jdbc-1.2.3.jar");
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(jar))) {
            for (String entry : entries) {
                out.putNextEntry(new ZipEntry(entry));
                out.write(("of " + entry).getBytes(StandardCharsets.UTF_8));
                out.closeEntry();
            }
        }
        return jar;
    }

    private static Map<String, String> contents(Path jar) throws Exception {
        Map<String, String> contents = new TreeMap<>();
        try (ZipFile file = new ZipFile(jar.toFile())) {
            for (ZipEntry entry : file.stream().toList()) {
                contents.put(
                        entry.getName(), new String(file.getInputStream(entry).readAllBytes(), StandardCharsets.UTF_8));
            }
        }
        return contents;
    }

    @Test
    void theLibraryComesToLieBesideTheJar() throws Exception {
        String own = "libduckdb_java.so_"
                + DuckDbNativeLibrary.platform(System.getProperty("os.name"), System.getProperty("os.arch"));
        Path jar = jar("org/duckdb/A.class", own, "libduckdb_java.so_other_os", "META-INF/services/java.sql.Driver");

        LibraryFolderPreparation.main(new String[] {folder.toString()});
        LibraryFolderPreparation.main(new String[] {folder.toString()}); // a second time changes nothing

        assertThat(contents(jar)).containsOnlyKeys("META-INF/services/java.sql.Driver", "org/duckdb/A.class");
        assertThat(contents(jar)).containsEntry("org/duckdb/A.class", "of org/duckdb/A.class");
        assertThat(folder.resolve(own)).hasContent("of " + own);
        assertThat(folder).isDirectoryNotContaining(file -> file.toString().endsWith(".tmp"));
    }

    @Test
    void aJarWithoutALibraryForThisMachineStaysAsItIs() throws Exception {
        Path jar = jar("org/duckdb/A.class", "libduckdb_java.so_beos_m68k");

        LibraryFolderPreparation.main(new String[] {folder.toString()});

        assertThat(contents(jar)).containsOnlyKeys("libduckdb_java.so_beos_m68k", "org/duckdb/A.class");
    }

    @ParameterizedTest
    @CsvSource({
        "Linux, amd64, linux_amd64",
        "Linux, aarch64, linux_arm64",
        "Mac OS X, aarch64, macos_arm64",
        "Windows 11, amd64, windows_amd64",
        "Windows Server 2025, x86_64, windows_amd64",
    })
    void platformsAreCalledAsTheDriverCallsThem(String system, String processor, String platform) {
        assertThat(DuckDbNativeLibrary.platform(system, processor)).isEqualTo(platform);
    }
}
