package dev.unjank.record.kernel;

import dev.unjank.record.ProcessOutput;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A program of the tests in a process of its own, which executes commands and confirms each. */
final class TestProgramProcess implements AutoCloseable {
    private final Process process;
    private final BufferedReader out;

    private TestProgramProcess(Process process) {
        this.process = process;
        out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    /** Starts a class with a main method, and waits until it says that it is ready. */
    static TestProgramProcess start(Class<?> program, String... args) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-Xmx128m",
                "-cp",
                System.getProperty("java.class.path"),
                program.getName()));
        command.addAll(List.of(args));
        TestProgramProcess started = new TestProgramProcess(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
        try {
            started.expect("ready");
        } catch (IOException | RuntimeException e) {
            started.close();
            throw e;
        }
        return started;
    }

    int pid() {
        return (int) process.pid();
    }

    /** Has {@link SleeperProgram} sleep, and waits until it has. */
    void sleep(int times) throws IOException {
        process.getOutputStream().write(times);
        process.getOutputStream().flush();
        expect(SleeperProgram.SLEPT);
    }

    private void expect(String wanted) throws IOException {
        ProcessOutput.expect(process.toHandle(), out, wanted);
    }

    /** Ends its input, and waits until it has ended. */
    void end() throws IOException {
        process.getOutputStream().close();
        ProcessOutput.awaitEnd(process);
    }

    /** Kills it, and waits until it has ended. */
    void kill() throws IOException {
        process.destroyForcibly();
        ProcessOutput.awaitEnd(process);
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
