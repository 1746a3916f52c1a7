package dev.unjank.cli.terminal;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import org.jline.terminal.Attributes;
import org.jline.terminal.TerminalBuilder;
import org.jspecify.annotations.Nullable;

/**
 * The terminal's alternate screen, which a command redraws. {@link #close} restores the former screen and the cursor;
 * an interrupted command must close this before the JVM ends.
 */
public final class FullScreenTerminal implements AutoCloseable {
    private static final String ENTER = "\033[?1049h\033[?25l";
    private static final String LEAVE = "\033[?25h\033[?1049l";
    private static final String HOME = "\033[H";
    private static final String ERASE_TO_END_OF_LINE = "\033[K";
    private static final String ERASE_BELOW = "\033[J";

    private static final int DEFAULT_HEIGHT = 24;
    private static final int QUIT = 'q';

    private final Terminal terminal;
    private final PrintWriter out;

    /** Reads keys and the size; null if standard input is not a terminal. */
    private final org.jline.terminal.@Nullable Terminal keyboard;

    private FullScreenTerminal(Terminal terminal, org.jline.terminal.@Nullable Terminal keyboard) {
        this.terminal = terminal;
        this.keyboard = keyboard;
        out = terminal.out;
    }

    /** Switches to the alternate screen. */
    public static FullScreenTerminal open(Terminal terminal) throws IOException {
        org.jline.terminal.Terminal keyboard = null;
        if (terminal.isInteractive()) {
            keyboard = TerminalBuilder.builder()
                    .name("unjank")
                    .nativeSignals(false)
                    .build();
            keyboard.enterRawMode(); // keys are not echoed
            Attributes attributes = keyboard.getAttributes();
            attributes.setLocalFlag(Attributes.LocalFlag.ISIG, true); // Ctrl-C still sends a signal
            keyboard.setAttributes(attributes);
        }
        FullScreenTerminal opened = new FullScreenTerminal(terminal, keyboard);
        opened.out.print(ENTER);
        opened.out.flush();
        return opened;
    }

    public int width() {
        int known = keyboard == null ? 0 : keyboard.getSize().getColumns();
        return known > 0 ? known : terminal.width();
    }

    public int height() {
        int known = keyboard == null ? 0 : keyboard.getSize().getRows();
        return known > 0 ? known : DEFAULT_HEIGHT;
    }

    /** Redraws the screen. The caller limits the lines to its height. */
    public void draw(List<String> lines) {
        StringBuilder screen = new StringBuilder(HOME);
        for (int i = 0; i < lines.size(); i++) {
            screen.append(i == 0 ? "" : "\r\n").append(lines.get(i)).append(ERASE_TO_END_OF_LINE);
        }
        out.print(screen.append(ERASE_BELOW));
        out.flush();
    }

    /** Whether the user has pressed q. Does not block. */
    public boolean isQuitWanted() {
        if (keyboard == null) {
            return false;
        }
        try {
            for (int key = keyboard.reader().read(1);
                    key >= 0;
                    key = keyboard.reader().read(1)) {
                if (key == QUIT) {
                    return true;
                }
            }
            return false;
        } catch (IOException e) {
            return true; // the terminal was closed
        }
    }

    @Override
    public void close() throws IOException {
        out.print(LEAVE);
        out.flush();
        if (keyboard != null) {
            keyboard.close();
        }
    }
}
