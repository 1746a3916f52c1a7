package dev.unjank.cli;

/** The exit codes of the command. An interrupted process exits with 130, as the shell expects of SIGINT. */
final class ExitCode {
    /** Done; also usable input with warnings. */
    static final int OK = 0;

    /** The program itself failed. */
    static final int INTERNAL = 1;

    /** Unusable input, or a mistake on the command line. */
    static final int UNUSABLE = 2;

    /** A statement exceeded its time or memory limit. */
    static final int STOPPED = 3;

    private ExitCode() {}
}
