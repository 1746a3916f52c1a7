package dev.unjank.cli.terminal;

/** The exit codes of the command. */
public final class ExitCode {
    /** Success, possibly with warnings. */
    public static final int OK = 0;

    /** Internal failure. */
    public static final int INTERNAL = 1;

    /** Unusable input or wrong usage. */
    public static final int UNUSABLE = 2;

    /** A statement exceeded its time or memory limit. */
    public static final int STOPPED = 3;

    /** Interrupted by SIGINT, as shells expect. */
    public static final int INTERRUPTED = 130;

    private ExitCode() {}
}
