package dev.unjank.record.launch;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/**
 * Builds the jar of {@link MainMethodGate}, with a class file that every JVM since Java 8 loads: a JVM that cannot load
 * an agent does not start.
 */
final class GateAgentJar {
    /** The version of Java 8's class files. */
    private static final int VERSION = 52;

    /** The index of the version's lower byte in a class file. */
    private static final int VERSION_AT = 7;

    private GateAgentJar() {}

    static byte[] bytes() throws IOException {
        Manifest manifest = new Manifest();
        Attributes attributes = manifest.getMainAttributes();
        attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        attributes.putValue("Premain-Class", MainMethodGate.class.getName());
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JarOutputStream jar = new JarOutputStream(bytes, manifest)) {
            jar.putNextEntry(new JarEntry(MainMethodGate.class.getName().replace('.', '/') + ".class"));
            jar.write(classFile());
            jar.closeEntry();
        }
        return bytes.toByteArray();
    }

    private static byte[] classFile() throws IOException {
        try (InputStream in = MainMethodGate.class.getResourceAsStream("MainMethodGate.class")) {
            if (in == null) {
                throw new IOException("the class MainMethodGate is missing in this build");
            }
            byte[] file = in.readAllBytes();
            file[VERSION_AT] = VERSION;
            return file;
        }
    }
}
