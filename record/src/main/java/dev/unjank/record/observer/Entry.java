package dev.unjank.record.observer;

import java.lang.instrument.Instrumentation;
import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The way into the target's virtual machine. The class itself stays on the target's class path for good, so it does as little as
 * can be: everything else comes as a module in a layer of its own, which goes when the observer does. Only that module may call
 * native functions and look into the few packages that it needs; the program's own rights do not change.
 */
public final class Entry {
    /** The name of the module that the jar becomes. */
    public static final String MODULE = "dev.unjank.observer";

    private static final String OBSERVER = "dev.unjank.record.observer.Observer";

    private Entry() {}

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
        ModuleLayer layer = boot.defineModulesWithOneLoader(configuration, ClassLoader.getPlatformClassLoader());
        Module module = layer.findModule(MODULE).orElseThrow();
        instrumentation.redefineModule(
                Object.class.getModule(),
                Set.of(),
                Map.of(),
                Map.of(
                        "java.lang",
                        Set.of(module, Entry.class.getModule()),
                        "java.util.concurrent.locks",
                        Set.of(module)),
                Set.of(),
                Map.of());
        // What the option --enable-native-access does for a module that is there from the start.
        var enable = Module.class.getDeclaredMethod("implAddEnableNativeAccess");
        enable.setAccessible(true);
        enable.invoke(module);
        layer.findLoader(MODULE)
                .loadClass(OBSERVER)
                .getMethod("begin", Path.class)
                .invoke(null, Path.of(lines.get(1)));
    }
}
