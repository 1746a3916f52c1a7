package dev.unjank.record.jvm;

import dev.unjank.record.ProcessOutput;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A virtual machine of its own, with {@link JvmTargetProgram} or another main class in it. */
final class JvmTargetProcess implements AutoCloseable {
    private final Process process;
    private final Path errors;
    private final BufferedReader out;
    private final Writer in;

    private JvmTargetProcess(Process process, Path errors) {
        this.process = process;
        this.errors = errors;
        out = process.inputReader(StandardCharsets.UTF_8);
        in = process.outputWriter(StandardCharsets.UTF_8);
    }

    /** Starts {@link JvmTargetProgram}, and waits until it is ready. */
    static JvmTargetProcess start(String... options) throws IOException {
        JvmTargetProcess started = of(JvmTargetProgram.class, List.of(options), List.of());
        started.expect("ready");
        return started;
    }

    /** Starts a class of this module's tests. */
    static JvmTargetProcess of(Class<?> main, List<String> options, List<String> arguments) throws IOException {
        return of(
                Path.of(System.getProperty("java.home")),
                System.getProperty("java.class.path"),
                main,
                options,
                arguments);
    }

    /** Starts a class on any Java. */
    static JvmTargetProcess of(
            Path javaHome, String classPath, Class<?> main, List<String> options, List<String> arguments)
            throws IOException {
        return of(List.of(), javaHome, classPath, main, options, arguments);
    }

    /**
     * Starts {@link JvmTargetProgram} where processes have other numbers, {@code /tmp} is another folder and the JDK is
     * where no process outside has one, as in a container. Only root may; elsewhere the program says nothing, and ends.
     */
    static JvmTargetProcess inContainer(String... options) throws IOException {
        Path jdk = Path.of("/tmp/jdk");
        return of(
                List.of(
                        "unshare",
                        "--pid",
                        "--fork",
                        "--mount",
                        "--mount-proc",
                        "sh",
                        "-c",
                        "mount -t tmpfs tmpfs /tmp && mkdir " + jdk + " && mount --bind \"$0\" " + jdk
                                + " && exec \"$@\"",
                        System.getProperty("java.home")),
                jdk,
                System.getProperty("java.class.path"),
                JvmTargetProgram.class,
                List.of(options),
                List.of());
    }

    /**
     * Starts a class of this module's tests by a command that ends with the one for Java; says nothing if that fails.
     */
    static JvmTargetProcess within(List<String> before, Class<?> main, List<String> options, List<String> arguments)
            throws IOException {
        return of(
                before,
                Path.of(System.getProperty("java.home")),
                System.getProperty("java.class.path"),
                main,
                options,
                arguments);
    }

    /** Starts a class on any Java by a command that ends with the one for Java; says nothing if that fails. */
    static JvmTargetProcess of(
            List<String> before,
            Path javaHome,
            String classPath,
            Class<?> main,
            List<String> options,
            List<String> arguments)
            throws IOException {
        List<String> command = new ArrayList<>(before);
        command.add(javaHome.resolve("bin").resolve("java").toString());
        command.add("-Xmx128m");
        command.addAll(options);
        command.addAll(List.of("-cp", classPath, main.getName()));
        command.addAll(arguments);
        Path errors = Files.createTempFile("target", ".err");
        return new JvmTargetProcess(
                new ProcessBuilder(command).redirectError(errors.toFile()).start(), errors);
    }

    int pid() {
        return Math.toIntExact(process.pid());
    }

    /** The number of the virtual machine where that is a child of what was started. */
    int childPid() {
        return Math.toIntExact(process.children().findFirst().orElseThrow().pid());
    }

    Process process() {
        return process;
    }

    /** Has the program play a scene, and waits until it is over, or the program is. */
    void play(String scene) throws IOException {
        begin(scene);
        if (scene.equals("exit")) {
            ProcessOutput.awaitEnd(process);
        } else {
            expect("done");
        }
    }

    /** Has the program play a scene; when it is over the program says {@code done}. */
    void begin(String scene) throws IOException {
        in.write(scene + "\n");
        in.flush();
    }

    /** Stops the process, or lets it go on: {@code STOP}, {@code CONT}. */
    void signal(String name) throws IOException {
        Process kill = new ProcessBuilder("sh", "-c", "kill -" + name + " " + pid())
                .inheritIO()
                .start();
        if (kill.onExit().join().exitValue() != 0) {
            throw new IOException("kill -" + name + " failed");
        }
    }

    void expect(String answer) throws IOException {
        try {
            ProcessOutput.expect(process.toHandle(), out, answer);
        } catch (IOException e) {
            throw new IOException(e.getMessage() + "; " + errors(), e);
        }
    }

    /** What it has printed as errors. */
    String errors() throws IOException {
        return Files.readString(errors);
    }

    @Override
    public void close() throws IOException {
        ProcessOutput.kill(process.toHandle());
        ProcessOutput.awaitEnd(process);
        Files.deleteIfExists(errors);
        // A killed JVM leaves its socket behind. A later JVM with the same pid and another user cannot replace it.
        Files.deleteIfExists(Path.of("/tmp/.java_pid" + pid()));
    }
}
