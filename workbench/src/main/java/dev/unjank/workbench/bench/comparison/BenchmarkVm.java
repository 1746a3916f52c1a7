package dev.unjank.workbench.bench.comparison;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A Java VM that measures one contestant, so that the classes of one do not change how the compiler treats another's. It idles
 * until it gets a request.
 */
final class BenchmarkVm {

    /** Its memory, for people. */
    static final String MEMORY = "G1, 512 MiB of heap";

    /**
     * Agrona and Netty reach into the JDK; a fixed heap, touched at the start, keeps its growth and the page
     * faults of its first use out of the measurement, where they would count against the contestants that allocate. The collector is the one that
     * a VM chooses by itself on all but the smallest machines, so it is that of most programs.
     */
    private static final List<String> OPTIONS = List.of(
            "-XX:+UseG1GC",
            "-Xms512m",
            "-Xmx512m",
            "-XX:+AlwaysPreTouch",
            "-Xlog:disable",
            "-Xlog:all=error:stderr",
            "-XX:-UsePerfData",
            "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "--enable-native-access=ALL-UNNAMED");

    /** The longest turn. */
    private static final int MOST_SECONDS = 120;

    private final BenchmarkQuestion<?> question;
    private final Candidate peer;
    private final Process process;
    private final BufferedWriter questions;
    private final BufferedReader answers;

    BenchmarkVm(ComparisonBenchmark contest, BenchmarkQuestion<?> question, Candidate peer) throws IOException {
        this.question = question;
        this.peer = peer;
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(OPTIONS);
        command.addAll(peer.options());
        command.add("-Dunjank.root=" + System.getProperty("unjank.root", "."));
        command.addAll(List.of(
                "-cp", System.getProperty("java.class.path"), contest.main().getName(), question.name(), peer.name()));
        process = new ProcessBuilder(command).redirectError(Redirect.INHERIT).start();
        questions = process.outputWriter();
        answers = process.inputReader();
    }

    /** Whom it measures. */
    Candidate peer() {
        return peer;
    }

    private String name() {
        return question.name() + " of " + peer.label();
    }

    /** Has it measure once, and waits for the figures. */
    double[] measure(String circumstance) throws IOException, InterruptedException {
        questions.write(circumstance + "\n");
        questions.flush();
        String answer;
        try {
            answer = CompletableFuture.supplyAsync(this::readLine).get(MOST_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new IOException(name() + ": no figure after " + MOST_SECONDS + " s", e);
        } catch (ExecutionException e) {
            throw new IOException(name() + ": " + e.getCause(), e);
        }
        if (answer.isEmpty()) {
            throw new IOException(name() + ": the Java VM has ended, with exit code " + process.waitFor()
                    + "; what it said, if anything, stands above. Run it again with --only " + question.name());
        }
        return Arrays.stream(answer.split(" ", -1))
                .mapToDouble(Double::parseDouble)
                .toArray();
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

    /** Ends it, whatever it is doing. */
    void close() {
        process.destroyForcibly().onExit().join();
    }
}
