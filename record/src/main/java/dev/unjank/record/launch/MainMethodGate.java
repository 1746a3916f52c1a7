package dev.unjank.record.launch;

import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import org.jspecify.annotations.Nullable;

/**
 * The agent that holds a started JVM before its main method: when the launcher looks for the main class. Earlier, while
 * agents start, the JVM is not complete, and the recorder's agent finds no JVM to attach to. The program may run on any
 * Java version, so this class uses nothing that is newer than Java 8 ({@link GateAgentJar}).
 */
public final class MainMethodGate implements ClassFileTransformer {
    /** The class that the {@code java} launcher loads first, in the main thread. */
    private static final String LAUNCHER = "sun/launcher/LauncherHelper";

    private final Instrumentation instrumentation;
    private final Thread main;
    private final String arrived;
    private final String gate;

    private MainMethodGate(Instrumentation instrumentation, String arrived, String gate) {
        this.instrumentation = instrumentation;
        this.arrived = arrived;
        this.gate = gate;
        main = Thread.currentThread();
    }

    /**
     * Called by the JVM before it is complete.
     *
     * @param arguments two paths: the pipe to write to and the pipe to wait for
     */
    public static void premain(String arguments, Instrumentation instrumentation) {
        String[] pipes = arguments.split(",", -1);
        instrumentation.addTransformer(new MainMethodGate(instrumentation, pipes[0], pipes[1]));
    }

    /** Called for each class that is loaded; transforms none. */
    @Override
    @SuppressWarnings("ReferenceEquality") // loaders are compared by identity: a program's own may override equals
    public byte @Nullable [] transform(
            @Nullable ClassLoader loader,
            @Nullable String name,
            @Nullable Class<?> redefined,
            @Nullable ProtectionDomain domain,
            byte[] file) {
        boolean isLaunched = LAUNCHER.equals(name) || loader == ClassLoader.getSystemClassLoader();
        if (isLaunched && Thread.currentThread() == main && instrumentation.removeTransformer(this)) {
            hold();
        }
        return null;
    }

    /**
     * Reports that the JVM is there, and waits for the recorder. If the recorder has ended, the program runs without
     * it.
     */
    private void hold() {
        try (FileOutputStream out = new FileOutputStream(arrived);
                FileInputStream in = new FileInputStream(gate)) {
            out.write('\n');
            int _ = in.read();
        } catch (IOException e) {
            return; // the recorder has ended
        }
    }
}
