package dev.unjank.proof.steps;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/**
 * A class loader for rewritten looper classes and for the unchanged scenarios; it delegates all other classes to the
 * parent.
 */
final class InstrumentedLooperLoader extends ClassLoader {
    static final String LOOPER = "dev.unjank.looper.";
    private static final String SCENES = "dev.unjank.proof.steps.inside.";
    private static final String STAGE = SCENES + "LooperScenarioRunner";

    private final ClassLoader original;
    private final Instrumenter instrumenter;

    private InstrumentedLooperLoader(ClassLoader original) {
        super(original);
        this.original = original;
        this.instrumenter = new Instrumenter(original);
    }

    /** Creates a new, isolated set of looper classes. */
    static ScenarioRunner newStage() {
        ClassLoader original = InstrumentedLooperLoader.class.getClassLoader();
        try {
            return (ScenarioRunner) new InstrumentedLooperLoader(original)
                    .loadClass(STAGE)
                    .getConstructor()
                    .newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        boolean rewritten = name.startsWith(LOOPER);
        if (!rewritten && !name.startsWith(SCENES)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            if (loaded != null) {
                return loaded;
            }
            byte[] bytes = bytesOf(original, name.replace('.', '/'));
            byte[] defined = rewritten ? instrumenter.rewrite(bytes) : bytes;
            return defineClass(name, defined, 0, defined.length);
        }
    }

    /** The class file of a class by its internal name. */
    static byte[] bytesOf(ClassLoader loader, String internalName) throws ClassNotFoundException {
        try (InputStream in = loader.getResourceAsStream(internalName + ".class")) {
            if (in == null) {
                throw new ClassNotFoundException(internalName);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
