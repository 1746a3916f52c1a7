package dev.unjank.cli.shell;

import static dev.unjank.cli.PseudoTerminal.CTRL_C;
import static dev.unjank.cli.PseudoTerminal.CTRL_D;
import static dev.unjank.cli.PseudoTerminal.ENTER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.cli.PseudoTerminal;
import dev.unjank.scene.LauncherExample;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The shell at a real terminal. Skipped where there is none to be had. */
class InteractiveShellTest {
    private static final String UP = "\u001bOA";
    private static final String UP_OF_OTHERS = "\u001b[A";
    private static final String BACKSPACE = "\u007f";
    private static final String PROMPT = "unjank> ";

    @TempDir
    Path folder;

    private PseudoTerminal terminal;

    @BeforeEach
    void start() throws IOException {
        Path trace = Files.write(folder.resolve("launcher.pftrace"), LauncherExample.trace());
        terminal = PseudoTerminal.run(Map.of("XDG_STATE_HOME", folder.toString()), "query", trace.toString());
    }

    @AfterEach
    void end() {
        if (terminal != null) {
            terminal.close();
        }
    }

    private void press(String text) throws IOException {
        terminal.press(text);
    }

    private void see(String text) throws InterruptedException {
        terminal.see(text);
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

        // an error is reported, with a caret below it
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
        press("x"); // what is shown is read by the editor, and no longer by the terminal
        see("x");
        press(BACKSPACE + CTRL_D);
        assertThat(terminal.exitCode()).as(terminal.shown()).isZero();
        assertThat(Files.readAllLines(folder.resolve("unjank").resolve("query_history")))
                .filteredOn(line -> line.endsWith("SELECT 6 * 7 AS answer;"))
                .isNotEmpty();
    }

    @Test
    void oneControlCAbandonsOneLine() throws Exception {
        int lines = 40;
        for (int i = 0; i < lines; i++) {
            see(PROMPT);
            press("SELECT nonsense" + CTRL_C);
        }
        see(PROMPT);
        press("SELECT 6 * 7 AS answer;" + ENTER);
        see("42");
        see(PROMPT);
        assertThat(terminal.shown().split(PROMPT, -1)).hasSize(1 + lines + 2);
    }

    /** It only remembers nothing then. */
    @Test
    void whereNothingCanBeKeptItTalksAllTheSame() throws Exception {
        terminal.close();
        Path file = Files.createFile(folder.resolve("file"));
        terminal = PseudoTerminal.run(
                Map.of("XDG_STATE_HOME", file.toString()),
                "query",
                folder.resolve("launcher.pftrace").toString());
        see(PROMPT);
        press("SELECT 6 * 7 AS answer;" + ENTER);
        see("42");
        see(PROMPT);
        press(".quit" + ENTER);
        assertThat(terminal.exitCode()).as(terminal.shown()).isZero();
    }

    @Test
    void whatWasAskedIsKnownTheNextTime() throws Exception {
        see(PROMPT);
        press("SELECT 'yesterday' AS asked;" + ENTER);
        see(PROMPT);
        press(".quit" + ENTER);
        assertThat(terminal.exitCode()).as(terminal.shown()).isZero();

        start();
        see(PROMPT);
        press(UP + UP);
        see("SELECT 'yesterday' AS asked;");
        press(ENTER);
        see("yesterday");
    }
}
