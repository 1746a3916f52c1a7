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

/** A Java VM of its own for the program of an experiment; it serves {@link RequestServer}. For one thread at a time. */
public final class ExperimentProcess implements AutoCloseable {
    /** Warnings would go to standard output, among the answers. An agent may be loaded without one on standard error. */
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

    /** Starts a program in this Java VM's kind. */
    public static ExperimentProcess start(List<String> options, Class<?> program, String... arguments)
            throws IOException {
        List<String> all = new ArrayList<>(options);
        all.add("--enable-native-access=ALL-UNNAMED");
        return start(List.of(), Path.of(System.getProperty("java.home")), all, program, arguments);
    }

    /**
     * Starts a program in another Java VM.
     *
     * @param before words that stand before the command, such as {@code nice}
     * @param program the class with its main method; it and what it uses must be of a version that the Java VM knows
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

    /** Has the program do something; fails if it fails, ends, or does not answer in time. */
    public Measurements ask(String what, double amount) throws IOException {
        requests.write(what + " " + amount + "\n");
        requests.flush();
        String answer;
        try {
            answer = CompletableFuture.supplyAsync(this::readLine).get(MOST_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new IOException(name + ": no answer to " + what + " after " + MOST_SECONDS + " s", e);
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

    /** Empty at the end. */
    private String readLine() {
        try {
            String line = answers.readLine();
            return line == null ? "" : line;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Ends the process, whatever it is doing. */
    @Override
    public void close() {
        guard.close();
        process.destroyForcibly().onExit().join();
    }
}
