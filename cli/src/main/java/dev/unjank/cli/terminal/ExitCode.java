package dev.unjank.cli.terminal;

/** The exit codes of the command. An interrupted process exits with 130, as the shell expects of SIGINT. */
public final class ExitCode {
    /** Done; also usable input with warnings. */
    public static final int OK = 0;

    /** The program itself failed. */
    public static final int INTERNAL = 1;

    /** Unusable input, or a mistake on the command line. */
    public static final int UNUSABLE = 2;

    /** A statement exceeded its time or memory limit. */
    public static final int STOPPED = 3;

    private ExitCode() {}
}
