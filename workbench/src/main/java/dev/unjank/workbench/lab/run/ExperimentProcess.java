package dev.unjank.workbench.lab.run;

import dev.unjank.workbench.lab.program.RequestServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The JVM of an experiment's program, which runs {@link RequestServer}. For one thread at a time. */
public final class ExperimentProcess implements AutoCloseable {
    /**
     * JVM warnings would be mixed with the replies on standard output; loading an agent must not print a warning on
     * standard error.
     */
    private static final List<String> OPTIONS =
            List.of("-Xlog:disable", "-Xlog:all=error:stderr", "-XX:+EnableDynamicAgentLoading", "-XX:-UsePerfData");

    private static final int MOST_SECONDS = 300;

    private final String name;
    private final Process process;
    private final ShutdownGuard guard;
    private final BufferedReader answers;
    private final Writer requests;

    private ExperimentProcess(String name, Process process) {
        this.name = name;
        this.process = process;
        guard = ShutdownGuard.of(process::destroyForcibly);
        answers = process.inputReader(StandardCharsets.UTF_8);
        requests = process.outputWriter(StandardCharsets.UTF_8);
    }

    /** Starts a program with this process's JDK. */
    public static ExperimentProcess start(List<String> options, Class<?> program, String... arguments)
            throws IOException {
        List<String> all = new ArrayList<>(options);
        all.add("--enable-native-access=ALL-UNNAMED");
        return start(List.of(), Path.of(System.getProperty("java.home")), all, program, arguments);
    }

    /**
     * Starts a program with another JDK.
     *
     * @param before a prefix of the command, such as {@code nice}
     * @param program the main class; it and its dependencies must be compiled for a version that the JDK supports
     */
    public static ExperimentProcess start(
            List<String> before, Path javaHome, List<String> options, Class<?> program, String... arguments)
            throws IOException {
        List<String> command = new ArrayList<>(before);
        command.add(javaHome.resolve("bin").resolve("java").toString());
        command.addAll(OPTIONS);
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
        command.addAll(List.of(arguments));
        return new ExperimentProcess(
                program.getSimpleName(),
                new ProcessBuilder(command).redirectError(Redirect.INHERIT).start());
    }

    public int pid() {
        return Math.toIntExact(process.pid());
    }

    /** Sends a request to the program; fails if the program fails, ends, or does not reply in time. */
    public Measurements ask(String what, double amount) throws IOException {
        requests.write(what + " " + amount + "\n");
        requests.flush();
        String answer;
        try {
            answer = CompletableFuture.supplyAsync(this::readLine).get(MOST_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new IOException(name + ": no reply to " + what + " after " + MOST_SECONDS + " s", e);
        } catch (ExecutionException e) {
            throw new IOException(name + ": " + e.getCause(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(name + ": interrupted", e);
        }
        if (!answer.startsWith(RequestServer.DONE)) {
            throw new IOException(name + ": " + what + ": " + (answer.isEmpty() ? "the program has ended" : answer));
        }
        return Measurements.parse(answer.substring(RequestServer.DONE.length()));
    }

    /** Reads a line; empty at the end of the input. */
    private String readLine() {
        try {
            String line = answers.readLine();
            return line == null ? "" : line;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Kills the process. */
    @Override
    public void close() {
        guard.close();
        process.destroyForcibly().onExit().join();
    }
}
