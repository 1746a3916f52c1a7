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
 * Where a command's text goes, and whether a person is looking at it.
 *
 * <p>Results go to {@link #out}, everything that is only about the run (warnings, progress, mistakes) to {@link #err}. Both are
 * UTF-8, whatever the locale, so that a report reads the same in a file from every machine.
 */
public final class Terminal {
    private static final String ERASE_LINE = "\r\033[K";

    /** Results. */
    public final PrintWriter out;

    /** Warnings, progress, mistakes. */
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

    /** A terminal that keeps what is written, for tests. */
    public static Terminal of(OutputStream out, OutputStream err, boolean isTerminal, Map<String, String> environment) {
        return new Terminal(out, err, isTerminal, isTerminal, false, environment);
    }

    /** What the program is called where it was started, to begin a command with that a person is to type. */
    public static String command() {
        return System.getProperty("unjank.command", "unjank");
    }

    /** Whether results go to a terminal. */
    public boolean isTerminal() {
        return outIsTerminal;
    }

    /** Whether a person can be talked to: results go to a terminal, and input comes from one. */
    public boolean isInteractive() {
        return outIsTerminal && inIsTerminal;
    }

    /** Whether results may be coloured: a terminal that can, and a user who did not refuse (no-color.org). */
    public boolean colour() {
        return outIsTerminal
                && environment.getOrDefault("NO_COLOR", "").isEmpty()
                && !environment.getOrDefault("TERM", "").equals("dumb");
    }

    /** Whether results go to a terminal that can be drawn on as a whole. */
    public boolean isLive() {
        return outIsTerminal && !environment.getOrDefault("TERM", "").equals("dumb");
    }

    /** How many columns a line of {@link #out} may have: the terminal's as far as the environment tells, else 100. */
    public int width() {
        String columns = environment.getOrDefault("COLUMNS", "");
        boolean known = outIsTerminal && columns.matches("[1-9][0-9]{1,3}");
        return known ? Integer.parseInt(columns) : 100;
    }

    /** {@link #out} for what wants a stream of bytes; flushed at each line. */
    public PrintStream outAsStream() {
        return new PrintStream(outStream, true, StandardCharsets.UTF_8);
    }

    /** Whether a line on {@link #err} may be rewritten in place to show progress. */
    public boolean showsProgress() {
        return errIsTerminal && !environment.getOrDefault("TERM", "").equals("dumb");
    }

    /** Shows progress in a line, in place of what it said before, if any may be shown; an empty text takes the line away. */
    public void progress(String line) {
        if (showsProgress()) {
            err.print(ERASE_LINE + line);
            err.flush();
        }
    }

    /**
     * Flushes everything.
     *
     * @return what kept results from being written, or null; a reader that has seen enough and closed its end ({@code | head})
     *     is no failure
     */
    @Nullable
    public IOException finish() {
        out.flush();
        err.flush();
        IOException failure = outStream.failure();
        return failure == null || isBrokenPipe(failure) ? null : failure;
    }

    /** Whether nobody receives results any more, so that a command that runs for a while may as well stop. */
    public boolean isDeaf() {
        return out.checkError();
    }

    private static boolean isBrokenPipe(IOException e) {
        String message = e.getMessage();
        return message != null && message.toLowerCase(Locale.ROOT).contains("pipe");
    }

    /**
     * Java can only ask whether standard input and output both are a terminal; Linux answers for each descriptor, which
     * {@code doctor trace > report.txt} needs.
     */
    @SuppressWarnings("SystemConsoleNull") // it is null again where there is none, since JDK 25
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
