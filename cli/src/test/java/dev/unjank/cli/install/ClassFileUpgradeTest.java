package dev.unjank.cli.install;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClassFileUpgradeTest {
    @TempDir
    Path folder;

    private Path jar = Path.of("");

    @BeforeEach
    void aFileName() {
        jar = folder.resolve("some.jar");
    }

    @Test
    void anOldClassDoesTheSameInANewFormat() throws Exception {
        write(Map.of("Old.class", absolute(49), "readme.txt", "text".getBytes(StandardCharsets.UTF_8)));
        ClassFileUpgrade.upgrade(jar);
        assertThat(version("Old.class")).isEqualTo(ClassFile.JAVA_8_VERSION);
        assertThat(content("readme.txt")).asString(StandardCharsets.UTF_8).isEqualTo("text");
        try (URLClassLoader loader = new URLClassLoader(new URL[] {jar.toUri().toURL()}, null)) {
            // Verified by its frames when it is linked: a format this new has no other way.
            Class<?> renewed = loader.loadClass("Old");
            assertThat(renewed.getMethod("absolute", int.class).invoke(null, -3))
                    .isEqualTo(3);
            assertThat(renewed.getMethod("absolute", int.class).invoke(null, 4)).isEqualTo(4);
        }
    }

    @Test
    void aJarOfNewClassesStaysAsItIs() throws IOException {
        write(Map.of("Old.class", absolute(50)));
        byte[] before = Files.readAllBytes(jar);
        ClassFileUpgrade.upgrade(jar);
        assertThat(jar).hasBinaryContent(before);
        assertThat(folder).isDirectoryNotContaining(file -> file.toString().endsWith(".tmp"));
    }

    /** A class with a branch, and without frames, as the old formats have none. */
    private static byte[] absolute(int version) {
        return ClassFile.of(ClassFile.StackMapsOption.DROP_STACK_MAPS)
                .build(
                        ClassDesc.of("Old"),
                        type -> type.withVersion(version, 0)
                                .withFlags(ClassFile.ACC_PUBLIC)
                                .withMethodBody(
                                        "absolute",
                                        MethodTypeDesc.of(ConstantDescs.CD_int, ConstantDescs.CD_int),
                                        ClassFile.ACC_PUBLIC | ClassFile.ACC_STATIC,
                                        code -> {
                                            var positive = code.newLabel();
                                            code.iload(0)
                                                    .ifge(positive)
                                                    .iload(0)
                                                    .ineg()
                                                    .ireturn()
                                                    .labelBinding(positive)
                                                    .iload(0)
                                                    .ireturn();
                                        }));
    }

    private void write(Map<String, byte[]> entries) throws IOException {
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(jar))) {
            for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
                out.putNextEntry(new ZipEntry(entry.getKey()));
                out.write(entry.getValue());
                out.closeEntry();
            }
        }
    }

    private byte[] content(String entry) throws IOException {
        try (ZipFile file = new ZipFile(jar.toFile())) {
            return LibraryFolderPreparation.content(file, file.getEntry(entry));
        }
    }

    private int version(String entry) throws IOException {
        return ClassFile.of().parse(content(entry)).majorVersion();
    }
}
