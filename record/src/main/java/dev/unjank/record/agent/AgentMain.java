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
 * The way into the target's virtual machine. The class itself stays on the target's class path for good, so it does as little as
 * can be: everything else comes as a module in a layer of its own, which goes when the observer does. Only that module may call
 * native functions and look into the few packages that it needs; the program's own rights do not change, those of this class, which
 * are all of its class path's, included.
 */
public final class AgentMain {
    /** The name of the module that the jar becomes. */
    public static final String MODULE = "dev.unjank.observer";

    private static final String OBSERVER = "dev.unjank.record.agent.LockOwnerSampler";

    private AgentMain() {}

    /**
     * Called by the virtual machine when the jar has been loaded into it.
     *
     * @param arguments the jar's path and that of the socket to listen at, a line each
     * @param instrumentation gives access to the JDK's modules
     * @throws Exception if the observer cannot begin; the recorder is told that, and why stands in the target's standard error
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

    /** The classes of a jar, read at once: the JDK's own loader would keep the file open for as long as nobody collects garbage. */
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
