package dev.unjank.record.agent;

import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/**
 * The agent's entry point in the target JVM. This class stays on the target's class path until the JVM exits, so it is
 * small. The rest of the agent is a module in a separate layer, which is unloaded when the agent ends. Only that module
 * gets native access and access to the packages that it needs; the access rights of the program, and of this class as
 * part of its class path, do not change.
 */
public final class AgentMain {
    /** The name of the jar's module. */
    public static final String MODULE = "dev.unjank.observer";

    private static final String OBSERVER = "dev.unjank.record.agent.LockOwnerSampler";

    private AgentMain() {}

    /**
     * Called by the JVM when it has loaded the jar.
     *
     * @param arguments two lines: the path of the jar and the path of the socket to listen on
     * @throws Exception if the agent cannot start. The recorder receives a failure; the JVM prints the reason to the
     *     target's standard error
     */
    public static void agentmain(String arguments, Instrumentation instrumentation) throws Exception {
        List<String> lines = arguments.lines().toList();
        ModuleLayer boot = ModuleLayer.boot();
        Configuration configuration =
                boot.configuration().resolve(ModuleFinder.of(Path.of(lines.get(0))), ModuleFinder.of(), Set.of(MODULE));
        Classes classes = new Classes(Path.of(lines.get(0)));
        ModuleLayer layer = boot.defineModules(configuration, _ -> classes);
        Module module = layer.findModule(MODULE).orElseThrow();
        instrumentation.redefineModule(
                Object.class.getModule(),
                Set.of(),
                Map.of(),
                Map.of("java.lang", Set.of(module), "java.util.concurrent.locks", Set.of(module)),
                Set.of(),
                Map.of());
        classes.loadClass(OBSERVER).getMethod("begin", Path.class).invoke(null, Path.of(lines.get(1)));
    }

    /**
     * A class loader that reads the whole jar when it is created. The JDK's loader would keep the file open until the
     * loader is garbage collected.
     */
    private static final class Classes extends ClassLoader {
        private final Map<String, byte[]> bytes = new HashMap<>();

        Classes(Path jar) throws IOException {
            super(ClassLoader.getPlatformClassLoader());
            try (ZipInputStream in = new ZipInputStream(Files.newInputStream(jar))) {
                for (ZipEntry entry; (entry = in.getNextEntry()) != null; ) {
                    bytes.put(entry.getName(), in.readAllBytes());
                }
            }
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            byte[] found = bytes.get(name.replace('.', '/') + ".class");
            if (found == null) {
                throw new ClassNotFoundException(name);
            }
            return defineClass(name, found, 0, found.length);
        }
    }
}
