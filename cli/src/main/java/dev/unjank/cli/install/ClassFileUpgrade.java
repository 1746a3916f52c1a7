package dev.unjank.cli.install;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Upgrades class files older than Java 6 to the format of Java 8. The JVM's AOT cache ignores older ones: picocli's
 * classes, in the format of Java 5, would be parsed and verified at each start. See docs/design/picocli-class-files.md
 * for the measurement.
 */
final class ClassFileUpgrade {
    private static final int OLDEST_CACHED = ClassFile.JAVA_6_VERSION;
    private static final String CLASS = ".class";

    private ClassFileUpgrade() {}

    /** Upgrades a jar. A jar without old classes stays unchanged. */
    static void upgrade(Path jar) throws IOException {
        if (hasOld(jar)) {
            LibraryFolderPreparation.rewrite(jar, (from, entry) -> {
                byte[] content = LibraryFolderPreparation.content(from, entry);
                return isOld(from, entry) ? upgraded(content) : content;
            });
        }
    }

    private static boolean hasOld(Path jar) throws IOException {
        try (ZipFile file = new ZipFile(jar.toFile())) {
            for (ZipEntry entry : file.stream().toList()) {
                if (isOld(file, entry)) {
                    return true;
                }
            }
            return false;
        }
    }

    private static boolean isOld(ZipFile jar, ZipEntry entry) throws IOException {
        if (!entry.getName().endsWith(CLASS)) {
            return false;
        }
        try (InputStream in = jar.getInputStream(entry);
                DataInputStream data = new DataInputStream(in)) {
            data.skipNBytes(6); // the magic number and the minor version
            return data.readUnsignedShort() < OLDEST_CACHED;
        }
    }

    /**
     * Converts a class to the newer format, with the stack map frames that it requires; rewriting each method's code
     * generates them.
     */
    private static byte[] upgraded(byte[] old) {
        ClassFile format = ClassFile.of(ClassFile.StackMapsOption.GENERATE_STACK_MAPS);
        ClassModel model = format.parse(old);
        return format.transformClass(model, (builder, element) -> {
            switch (element) {
                case ClassFileVersion _ -> builder.withVersion(ClassFile.JAVA_8_VERSION, 0);
                case MethodModel method ->
                    builder.transformMethod(
                            method, MethodTransform.transformingCode((code, instruction) -> code.with(instruction)));
                default -> builder.with(element);
            }
        });
    }
}
