package dev.unjank.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The command at a real terminal, a pseudo-terminal that util-linux's {@code script} opens: keys go in, and what a
 * person would see comes out.
 */
public final class PseudoTerminal implements AutoCloseable {
    public static final String CTRL_C = "\u0003";
    public static final String CTRL_D = "\u0004";
    public static final String ENTER = "\r";

    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(300);

    private final Process process;
    private final OutputStream keys;
    private final Thread reader;

    /** All that the terminal has shown; guarded by itself. */
    private final StringBuilder screen = new StringBuilder();

    /** How much of it has been looked at. */
    private int seen;

    private PseudoTerminal(Process process) {
        this.process = process;
        keys = process.getOutputStream();
        reader = Thread.ofPlatform().daemon().start(() -> read(process.getInputStream()));
    }

    /** Runs the command; the test is skipped where there is no such program. */
    public static PseudoTerminal run(Map<String, String> environment, String... arguments) throws IOException {
        Path script = Stream.of("/usr/bin/script", "/bin/script")
                .map(Path::of)
                .filter(Files::isExecutable)
                .findFirst()
                .orElse(null);
        assumeTrue(script != null && isOfUtilLinux(script), "needs script of util-linux for a pseudo-terminal");
        String command = Stream.concat(
                        Stream.of(
                                Path.of(System.getProperty("java.home"), "bin", "java")
                                        .toString(),
                                "--enable-native-access=ALL-UNNAMED",
                                "-cp",
                                System.getProperty("java.class.path"),
                                Unjank.class.getName()),
                        Stream.of(arguments))
                .map(word -> "'" + word.replace("'", "'\\''") + "'")
                .collect(Collectors.joining(" "));
        ProcessBuilder builder = new ProcessBuilder(
                UnixSignals.heard(List.of(script.toString(), "-q", "-e", "-f", "-c", "exec " + command, "/dev/null")));
        builder.environment().put("TERM", "xterm");
        builder.environment().put("SHELL", "/bin/sh");
        builder.environment().putAll(environment);
        return new PseudoTerminal(builder.redirectErrorStream(true).start());
    }

    private static boolean isOfUtilLinux(Path script) {
        try {
            Process version = new ProcessBuilder(script.toString(), "--version")
                    .redirectErrorStream(true)
                    .start();
            version.getOutputStream().close();
            return new String(version.getInputStream().readAllBytes(), StandardCharsets.UTF_8).contains("util-linux");
        } catch (IOException e) {
            return false;
        }
    }

    private void read(InputStream terminal) {
        byte[] bytes = new byte[4_096];
        try {
            for (int n = terminal.read(bytes); n >= 0; n = terminal.read(bytes)) {
                synchronized (screen) {
                    screen.append(new String(bytes, 0, n, StandardCharsets.UTF_8));
                    screen.notifyAll();
                }
            }
        } catch (IOException e) {
            // the terminal is gone: what is awaited will not come, and says so
        }
    }

    /** Presses keys. */
    public void press(String text) throws IOException {
        keys.write(text.getBytes(StandardCharsets.UTF_8));
        keys.flush();
    }

    /** Waits until the terminal shows something behind what has been seen, control sequences left out. */
    public void see(String text) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE_NANOS;
        synchronized (screen) {
            while (true) {
                String shown = plain(screen.toString());
                int at = shown.indexOf(text, seen);
                if (at >= 0) {
                    seen = at + text.length();
                    return;
                }
                long left = end - System.nanoTime();
                assertThat(left > 0 && (process.isAlive() || reader.isAlive()))
                        .as("waited for \"%s\" behind character %d of what the terminal showed:%n%s", text, seen, shown)
                        .isTrue();
                TimeUnit.NANOSECONDS.timedWait(screen, Math.min(left, TimeUnit.SECONDS.toNanos(1)));
            }
        }
    }

    /** What is to be read, without colours and movements of the cursor. */
    private static String plain(String shown) {
        return shown.replaceAll("\u001b\\[[0-9;?]*[ -/]*[@-~]", "").replaceAll("\u001b[=>]", "");
    }

    /** Waits for the command to end, and returns its exit code. */
    public int exitCode() throws InterruptedException {
        assertThat(process.waitFor(PATIENCE_NANOS, TimeUnit.NANOSECONDS))
                .as(shown())
                .isTrue();
        reader.join(); // what it said last is there
        return process.exitValue();
    }

    /** All that it has shown, control sequences included. */
    public String shown() {
        synchronized (screen) {
            return screen.toString();
        }
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
