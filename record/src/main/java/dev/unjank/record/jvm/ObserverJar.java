package dev.unjank.record.jvm;

import dev.unjank.record.observer.Entry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/** The jar that is put into the target: the observer's classes and nothing else. It is made of the recorder's own copies. */
final class ObserverJar {
    /** The first Java that can load it. */
    static final int FEATURE = 25;

    static final List<String> CLASSES = List.of(
            "Activity",
            "Alarm",
            "Budget",
            "ClockEvent",
            "Entry",
            "Entry$Classes",
            "FunctionTable",
            "Jni",
            "Jvmti",
            "Leftovers",
            "Link",
            "Link$Frame",
            "Observer",
            "Observer$Told",
            "Pace",
            "Stacks",
            "Stacks$1",
            "Stacks$Carrier",
            "Stacks$Method",
            "Waiters",
            "Waiters$1",
            "Waiters$Taker",
            "Wire");

    private ObserverJar() {}

    /** {@return the bytes of the jar} */
    static byte[] bytes() throws IOException {
        Manifest manifest = new Manifest();
        Attributes attributes = manifest.getMainAttributes();
        attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        attributes.putValue("Agent-Class", Entry.class.getName());
        attributes.putValue("Automatic-Module-Name", Entry.MODULE);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JarOutputStream jar = new JarOutputStream(bytes, manifest)) {
            for (String name : CLASSES) {
                String file = name + ".class";
                jar.putNextEntry(new JarEntry(Entry.class.getPackageName().replace('.', '/') + "/" + file));
                try (InputStream in = Entry.class.getResourceAsStream(file)) {
                    if (in == null) {
                        throw new IOException("the class " + name + " is missing in this build");
                    }
                    in.transferTo(jar);
                }
                jar.closeEntry();
            }
        }
        return bytes.toByteArray();
    }
}
