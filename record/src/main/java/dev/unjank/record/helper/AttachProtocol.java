package dev.unjank.record.helper;

import dev.unjank.linux.Errno;
import dev.unjank.record.linux.FileCalls;
import dev.unjank.record.linux.LibcException;
import dev.unjank.record.linux.ProcessCalls;
import dev.unjank.record.linux.ProcessCredentials;
import dev.unjank.record.linux.StoppedProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * HotSpot's attach protocol, version 1, as {@code jcmd} uses it. A file {@code /tmp/.attach_pidN} and SIGQUIT ask the
 * JVM to listen at {@code /tmp/.java_pidN}. A request is the protocol's version, the command and three arguments, each
 * ended by a zero byte. The reply is a line with the result, and the output. N is the pid in the process's own
 * namespace. See the JDK's {@code sun.tools.attach.VirtualMachineImpl} and {@code attachListener_posix.cpp}.
 *
 * <p>HotSpot looks for {@code .attach_pidN} in its working directory first, then in {@code /tmp}. If the file that it
 * finds belongs to neither its user nor root, it ignores the file and handles SIGQUIT by a thread dump. Any user can
 * create such a file in {@code /tmp}; then this client creates one in the working directory.
 *
 * <p>Unlike the JDK's client, this client verifies that the target itself listens before it sends anything.
 */
final class AttachProtocol {
    private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(12);
    private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final String VERSION = "1";
    private static final int ARGUMENTS = 4;
    private static final int NO_DIRECTORY = -1;

    private final TargetTmpFolder temporary;
    private final int pid;
    private final int uid;
    private final int rootOfTarget;
    private final int process;
    private final int innermostPid;

    /**
     * Creates a client of a process.
     *
     * @param temporary its {@code /tmp}
     * @param pid its pid here
     * @param rootOfTarget root of its user namespace
     * @param process its pidfd
     * @param innermostPid its pid in its own namespace
     */
    AttachProtocol(TargetTmpFolder temporary, int pid, int uid, int rootOfTarget, int process, int innermostPid) {
        this.temporary = temporary;
        this.pid = pid;
        this.uid = uid;
        this.rootOfTarget = rootOfTarget;
        this.process = process;
        this.innermostPid = innermostPid;
    }

    private String socket() {
        return ".java_pid" + innermostPid;
    }

    /**
     * Makes the JVM listen unless it already does. Then no file is needed that requests it: one of the target's user is
     * deleted, since an earlier recorder may have been ended while it waited.
     */
    void listen() throws IOException {
        int working = workingDirectory();
        try {
            if (!isListening()) {
                makeListen(working);
            }
            deleteRequest(temporary.descriptor());
            deleteRequest(working);
        } finally {
            if (working != NO_DIRECTORY) {
                FileCalls.close(working);
            }
        }
    }

    private void deleteRequest(int directory) throws IOException {
        if (isIn(directory) && owner(directory) == uid) {
            TargetTmpFolder.delete(directory, request());
        }
    }

    private void makeListen(int working) throws IOException {
        if (!ProcessCredentials.of(pid).catches(ProcessCalls.SIGQUIT)) {
            throw new IOException("cannot attach to process " + pid
                    + ": it does not handle SIGQUIT; it is still starting, or was started" + " with -Xrs");
        }
        requireRunning();
        int made = NO_DIRECTORY;
        try {
            made = create(working);
            ask(working);
        } finally {
            if (made != NO_DIRECTORY) {
                TargetTmpFolder.delete(made, request());
            }
        }
    }

    private void ask(int working) throws IOException {
        ProcessCalls.signal(process, ProcessCalls.SIGQUIT);
        long begun = System.nanoTime();
        boolean isRepeated = false;
        while (!isListening()) {
            long waited = System.nanoTime() - begun;
            if (waited > LONGEST_NANOS) {
                requireNotBlocked(working); // another user may have created a file meanwhile
                throw new IOException("process " + pid + " does not accept attach requests: it was started with"
                        + " -XX:+DisableAttachMechanism, or is busy");
            }
            if (waited > LONGEST_NANOS / 2 && !isRepeated) {
                requireRunning();
                ProcessCalls.signal(process, ProcessCalls.SIGQUIT);
                isRepeated = true;
            }
            LockSupport.parkNanos(this, STEP_NANOS);
        }
    }

    /** A stopped process gets no signal: it would handle it long after, when it continues. */
    private void requireRunning() throws IOException {
        StoppedProcess why = StoppedProcess.of(pid);
        if (why != null) {
            throw new UserFixableException(why.message(pid), why.remedy());
        }
    }

    private String request() {
        return ".attach_pid" + innermostPid;
    }

    /** Opens the target's working directory with the target's own rights. */
    private int workingDirectory() {
        try {
            return FileCalls.follow(Path.of("/proc/" + pid + "/cwd"), FileCalls.PATH | FileCalls.DIRECTORY);
        } catch (LibcException e) {
            return NO_DIRECTORY; // deleted, or in a user namespace that this process may not inspect
        }
    }

    /**
     * Creates the file that requests to listen, and returns its directory; {@link #NO_DIRECTORY} if there is a valid
     * file. Fails if the JVM would ignore it.
     */
    private int create(int working) throws IOException {
        int tmp = temporary.descriptor();
        if (isForeign(working)) {
            requireNotBlocked(working);
        }
        if (createIn(tmp)) {
            return tmp;
        }
        if (!isForeign(tmp)) {
            return NO_DIRECTORY;
        }
        try {
            if (working != NO_DIRECTORY && TargetTmpFolder.create(working, request())) {
                return working;
            }
        } catch (LibcException e) {
            // the target's user may not write there
        }
        throw blocked("/tmp/", tmp);
    }

    private boolean createIn(int tmp) throws IOException {
        try {
            return TargetTmpFolder.create(tmp, request());
        } catch (LibcException e) {
            boolean isFull = e.error() == Errno.ENOSPC || e.error() == Errno.EDQUOT;
            throw new UserFixableException(
                    "process " + pid + " cannot write its /tmp, in which the attach socket is created: "
                            + TargetTmpFolder.reason(e),
                    isFull ? "free some space in its /tmp (files or bytes)" : "make its /tmp writable");
        }
    }

    /** Fails if the file that the JVM would find, in its working directory or else in /tmp, is another user's. */
    private void requireNotBlocked(int working) throws IOException {
        int tmp = temporary.descriptor();
        if (isForeign(working)) {
            throw blocked("cwd/", working);
        }
        if (!isIn(working) && isForeign(tmp)) {
            throw blocked("/tmp/", tmp);
        }
    }

    private UserFixableException blocked(String directory, int descriptor) throws IOException {
        String root = innermostPid == pid ? "" : "/proc/" + pid + "/root";
        String path = (directory.startsWith("/") ? root : "/proc/" + pid + "/") + directory + request();
        return new UserFixableException(
                path + " belongs to another user (uid " + Integer.toUnsignedString(owner(descriptor))
                        + ") and blocks attaching",
                "delete it");
    }

    private boolean isForeign(int directory) throws IOException {
        int owner = owner(directory);
        return owner != uid && owner != rootOfTarget;
    }

    /** Whether a directory contains a file that requests to listen. */
    private boolean isIn(int directory) throws IOException {
        if (directory == NO_DIRECTORY) {
            return false;
        }
        try {
            FileCalls.close(FileCalls.openAt(directory, request(), FileCalls.PATH));
            return true;
        } catch (LibcException e) {
            return false;
        }
    }

    /** The owner of the file that requests to listen; the target's user if it does not exist. */
    private int owner(int directory) throws IOException {
        if (directory == NO_DIRECTORY) {
            return uid;
        }
        int file;
        try {
            file = FileCalls.openAt(directory, request(), FileCalls.PATH);
        } catch (LibcException e) {
            return uid;
        }
        try {
            return FileCalls.stat(file).uid();
        } finally {
            FileCalls.close(file);
        }
    }

    private boolean isListening() throws IOException {
        try {
            FileCalls.close(connect());
            return true;
        } catch (LibcException e) {
            if (e.error() == Errno.ENOENT || e.error() == Errno.ECONNREFUSED) {
                return false; // no socket yet, or a stale socket of an earlier process with the same pid
            }
            throw new IOException("process " + pid + " does not accept attach requests: /tmp/" + e.getMessage(), e);
        }
    }

    private int connect() throws IOException {
        try {
            return SharedFolder.connect(temporary.descriptor(), socket(), pid, uid);
        } catch (LibcException e) {
            throw e;
        } catch (IOException e) {
            throw new UserFixableException(
                    String.valueOf(e.getMessage()),
                    "delete it from the target's /tmp; the target's JVM creates it again");
        }
    }

    /** Executes a command. {@code holder} holds the connection, so that the request can be cancelled. */
    void command(Iterable<String> command, SharedFolder.Taker taker, RequestConnection holder) throws IOException {
        StringBuilder request = new StringBuilder(VERSION).append('\0');
        int count = 0;
        for (String argument : command) {
            request.append(argument).append('\0');
            count++;
        }
        for (; count < ARGUMENTS; count++) {
            request.append('\0');
        }
        int connection = connect();
        holder.hold(connection);
        try {
            FileCalls.write(connection, request.toString().getBytes(StandardCharsets.UTF_8));
            byte[] buffer = new byte[HelperProtocol.MOST_DATA];
            for (int read; (read = FileCalls.read(connection, buffer)) > 0; ) {
                taker.take(Arrays.copyOf(buffer, read));
            }
        } finally {
            holder.release();
        }
    }
}
