package dev.unjank.record.linux;

import java.io.IOException;

/** A function of the C library has failed. */
public final class LibcException extends IOException {
    /** There is no such file. */
    public static final int ENOENT = 2;

    /** There is no such process. */
    public static final int ESRCH = 3;

    static final int EINTR = 4;

    /** The process may not. */
    public static final int EACCES = 13;

    /** A name on the way is none of a directory. */
    public static final int ENOTDIR = 20;

    /** The lock is held by another process. */
    public static final int EAGAIN = 11;

    /** The file exists. */
    public static final int EEXIST = 17;

    /** No process listens at the socket. */
    public static final int ECONNREFUSED = 111;

    private static final long serialVersionUID = 1;

    private final int error;

    LibcException(String what, int error, String text) {
        super(what + ": " + text);
        this.error = error;
    }

    /**
     * The reason.
     *
     * @return {@code errno}
     */
    public int error() {
        return error;
    }
}
