package dev.unjank.cli;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Has programs hear Ctrl-C: one that was started in the background ignores it, and so do those that it starts, such as
 * these tests'.
 */
public final class UnixSignals {
    private static final List<String> HEARD = List.of("env", "--default-signal=INT");

    private UnixSignals() {}

    /** A command that handles Ctrl-C even if its parent ignores it. Without such an {@code env} the test is skipped. */
    public static List<String> heard(List<String> command) throws IOException {
        assumeTrue(isThere(), "env --default-signal, which coreutils has from 8.31 on, is not there");
        List<String> all = new ArrayList<>(HEARD);
        all.addAll(command);
        return all;
    }

    private static boolean isThere() throws IOException {
        List<String> nothing = new ArrayList<>(HEARD);
        nothing.add("true");
        try {
            return new ProcessBuilder(nothing).start().waitFor() == 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }
}
