package dev.unjank.cli.terminal;

import java.io.BufferedOutputStream;
import java.io.Console;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Standard output and standard error of a command, and whether they are terminals.
 *
 * <p>Results go to {@link #out}; warnings, progress and errors to {@link #err}. Both are always UTF-8, so that a report
 * in a file is the same on every machine.
 */
public final class Terminal {
    private static final String ERASE_LINE = "\r\033[K";

    /** Results. */
    public final PrintWriter out;

    /** Warnings, progress, errors. */
    public final PrintWriter err;

    private final FailureTrackingStream outStream;
    private final boolean outIsTerminal;
    private final boolean errIsTerminal;
    private final boolean inIsTerminal;
    private final Map<String, String> environment;

    private Terminal(
            OutputStream out,
            OutputStream err,
            boolean outIsTerminal,
            boolean errIsTerminal,
            boolean inIsTerminal,
            Map<String, String> environment) {
        this.outStream = new FailureTrackingStream(out);
        this.out = new PrintWriter(this.outStream, false, StandardCharsets.UTF_8);
        this.err = new PrintWriter(err, true, StandardCharsets.UTF_8);
        this.outIsTerminal = outIsTerminal;
        this.errIsTerminal = errIsTerminal;
        this.inIsTerminal = inIsTerminal;
        this.environment = environment;
    }

    /** The process's own standard output and error. */
    public static Terminal ofProcess() {
        return new Terminal(
                new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), 1 << 16),
                new FileOutputStream(FileDescriptor.err),
                isTerminal(1),
                isTerminal(2),
                isTerminal(0),
                System.getenv());
    }

    /** A terminal on other streams, for tests. */
    public static Terminal of(OutputStream out, OutputStream err, boolean isTerminal, Map<String, String> environment) {
        return new Terminal(out, err, isTerminal, isTerminal, false, environment);
    }

    /** The command as the user called it, such as {@code ./unjank}, for commands that the user can paste. */
    public static String command() {
        return System.getProperty("unjank.command", "unjank");
    }

    /** Whether results go to a terminal. */
    public boolean isTerminal() {
        return outIsTerminal;
    }

    /** Whether standard input and output are both terminals. */
    public boolean isInteractive() {
        return outIsTerminal && inIsTerminal;
    }

    /** Whether results may be coloured: a terminal with colours, without {@code NO_COLOR} (no-color.org). */
    public boolean colour() {
        return outIsTerminal
                && environment.getOrDefault("NO_COLOR", "").isEmpty()
                && !environment.getOrDefault("TERM", "").equals("dumb");
    }

    /** Whether standard output is a terminal with cursor control. */
    public boolean isLive() {
        return outIsTerminal && !environment.getOrDefault("TERM", "").equals("dumb");
    }

    /** The line width for {@link #out}: the terminal's ({@code COLUMNS}), otherwise 100. */
    public int width() {
        String columns = environment.getOrDefault("COLUMNS", "");
        boolean known = outIsTerminal && columns.matches("[1-9][0-9]{1,3}");
        return known ? Integer.parseInt(columns) : 100;
    }

    /** {@link #out} as a stream of bytes. */
    public PrintStream outAsStream() {
        return new PrintStream(outStream, true, StandardCharsets.UTF_8);
    }

    /** Whether progress lines can be shown on {@link #err}. */
    public boolean showsProgress() {
        return errIsTerminal && !environment.getOrDefault("TERM", "").equals("dumb");
    }

    /** Replaces the progress line, if progress can be shown; an empty string erases it. */
    public void progress(String line) {
        if (showsProgress()) {
            err.print(ERASE_LINE + line);
            err.flush();
        }
    }

    /**
     * Flushes everything. Returns the failure to write results; null if there was none, or only a closed pipe ({@code |
     * head}).
     */
    @Nullable
    public IOException finish() {
        out.flush();
        err.flush();
        IOException failure = outStream.failure();
        return failure == null || isBrokenPipe(failure) ? null : failure;
    }

    /** Whether writing results has failed, for example because the pipe was closed, so that a long command can stop. */
    public boolean hasOutputFailed() {
        return out.checkError();
    }

    private static boolean isBrokenPipe(IOException e) {
        String message = e.getMessage();
        return message != null && message.toLowerCase(Locale.ROOT).contains("pipe");
    }

    /**
     * Java only reports whether standard input and output are both terminals. For {@code doctor trace > report.txt}
     * each descriptor is checked separately, with {@code /proc} on Linux.
     */
    @SuppressWarnings("SystemConsoleNull") // null without a terminal, again since JDK 25
    private static boolean isTerminal(int descriptor) {
        try {
            String target = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor))
                    .toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty") || target.equals("/dev/console");
        } catch (IOException | UnsupportedOperationException e) {
            Console console = System.console();
            return console != null && console.isTerminal();
        }
    }
}
