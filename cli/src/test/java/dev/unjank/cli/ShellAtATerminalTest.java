package dev.unjank.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.unjank.trace.example.LauncherExample;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The shell at a real terminal, a pseudo-terminal that util-linux's {@code script} opens: keys go in, and what a person would see
 * comes out. Skipped where there is no such program.
 */
class ShellAtATerminalTest {
    private static final String UP = "\u001bOA";
    private static final String UP_OF_OTHERS = "\u001b[A";
    private static final String CTRL_C = "\u0003";
    private static final String CTRL_D = "\u0004";
    private static final String ENTER = "\r";
    private static final String PROMPT = "unjank> ";
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(120);

    @TempDir
    Path folder;

    private Process process;
    private OutputStream keys;
    private Thread reader;

    /** All that the terminal has shown; guarded by itself. */
    private final StringBuilder screen = new StringBuilder();

    /** How much of it has been looked at. */
    private int seen;

    @BeforeEach
    void start() throws IOException {
        Path script = Stream.of("/usr/bin/script", "/bin/script")
                .map(Path::of)
                .filter(Files::isExecutable)
                .findFirst()
                .orElse(null);
        assumeTrue(script != null && isOfUtilLinux(script), "needs script of util-linux for a pseudo-terminal");
        Path trace = Files.write(folder.resolve("launcher.pftrace"), LauncherExample.trace());
        String command = Stream.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Unjank.class.getName(),
                        "query",
                        trace.toString())
                .map(word -> "'" + word.replace("'", "'\\''") + "'")
                .collect(Collectors.joining(" "));
        ProcessBuilder builder =
                new ProcessBuilder(script.toString(), "-q", "-e", "-f", "-c", "exec " + command, "/dev/null");
        builder.environment().put("XDG_STATE_HOME", folder.toString());
        builder.environment().put("TERM", "xterm");
        builder.environment().put("SHELL", "/bin/sh");
        process = builder.redirectErrorStream(true).start();
        keys = process.getOutputStream();
        reader = Thread.ofPlatform().daemon().start(() -> read(process.getInputStream()));
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

    @AfterEach
    void end() {
        if (process != null) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    private void press(String text) throws IOException {
        keys.write(text.getBytes(StandardCharsets.UTF_8));
        keys.flush();
    }

    /** Waits until the terminal shows something behind what has been seen, control sequences left out. */
    private void see(String text) throws InterruptedException {
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

    @Test
    void aPersonAsksLooksBackAndStops() throws Exception {
        see(PROMPT);
        press("SELECT 6 * 7 AS answer;" + ENTER);
        see("42");

        // the last statement comes back
        see(PROMPT);
        press(UP);
        see("SELECT 6 * 7 AS answer;");
        press(ENTER);
        see("42");
        see(PROMPT);
        press(UP_OF_OTHERS);
        see("SELECT 6 * 7 AS answer;");
        press(ENTER);
        see("42");

        // names are completed
        see(PROMPT);
        press("SELECT count(*) > 0 AS some FROM thread_stat\t");
        see("thread_state");
        press(";" + ENTER);
        see("some");

        // a mistake is told, with a caret below it
        see(PROMPT);
        press("SELECT 1," + ENTER);
        see("...> ");
        press("nope FROM slice;" + ENTER);
        see("line 2, column 1: no such column: nope");
        see("^");

        // Ctrl-C stops a statement ...
        see(PROMPT);
        press(
                "SELECT count(*) FROM slice a, slice b, slice c, slice d, slice e, slice f, slice g, slice h, slice i, slice j "
                        + "WHERE (a.dur + b.dur + c.dur + d.dur + e.dur + f.dur + g.dur + h.dur + i.dur + j.dur) % 7 = 8;"
                        + ENTER);
        see("querying");
        press(CTRL_C);
        see("interrupted");

        // ... gives up what was begun, and Ctrl-D leaves
        see(PROMPT);
        press("SELECT nonsense" + CTRL_C);
        see(PROMPT);
        press(CTRL_D);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).as(screen.toString()).isTrue();
        assertThat(process.exitValue()).as(screen.toString()).isZero();
        assertThat(Files.readAllLines(folder.resolve("unjank").resolve("query_history")))
                .filteredOn(line -> line.endsWith("SELECT 6 * 7 AS answer;"))
                .isNotEmpty();
    }

    @Test
    void whatWasAskedIsKnownTheNextTime() throws Exception {
        see(PROMPT);
        press("SELECT 'yesterday' AS asked;" + ENTER);
        see(PROMPT);
        press(".quit" + ENTER);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).as(screen.toString()).isTrue();

        synchronized (screen) {
            screen.setLength(0);
            seen = 0;
        }
        start();
        see(PROMPT);
        press(UP + UP);
        see("SELECT 'yesterday' AS asked;");
        press(ENTER);
        see("yesterday");
    }
}
