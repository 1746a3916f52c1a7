package dev.unjank.record.jvm;

import dev.unjank.record.agent.AgentMain;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/** Builds the agent's jar, which holds copies of the agent's classes and nothing else. */
final class AgentJar {
    /** The first Java version that can load the agent. */
    static final int FEATURE = 25;

    static final List<String> CLASSES = List.of(
            "ProcessActivity",
            "MonitorContentionCallback",
            "TokenBucket",
            "ClockEvent",
            "AgentMain",
            "AgentMain$Classes",
            "FunctionTable",
            "Jni",
            "Jvmti",
            "AbandonedJfrRecordings",
            "RecorderConnection",
            "RecorderConnection$Frame",
            "LockOwnerSampler",
            "LockOwnerSampler$Reported",
            "DutyCycle",
            "StackSampler",
            "StackSampler$1",
            "StackSampler$Carrier",
            "StackSampler$Method",
            "WaiterFinder",
            "WaiterFinder$1",
            "WaiterFinder$Taker",
            "AgentProtocol");

    private AgentJar() {}

    static byte[] bytes() throws IOException {
        Manifest manifest = new Manifest();
        Attributes attributes = manifest.getMainAttributes();
        attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        attributes.putValue("Agent-Class", AgentMain.class.getName());
        attributes.putValue("Automatic-Module-Name", AgentMain.MODULE);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JarOutputStream jar = new JarOutputStream(bytes, manifest)) {
            for (String name : CLASSES) {
                String file = name + ".class";
                jar.putNextEntry(new JarEntry(AgentMain.class.getPackageName().replace('.', '/') + "/" + file));
                try (InputStream in = AgentMain.class.getResourceAsStream(file)) {
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
