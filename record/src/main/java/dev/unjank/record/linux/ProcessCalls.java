package dev.unjank.record.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.List;

/** System calls without a JDK API that change the credentials of this process or act on another process. */
public final class ProcessCalls {
    /** The signal that makes a JVM listen for attach requests. */
    public static final int SIGQUIT = 3;

    private static final int PR_SET_DUMPABLE = 4;
    private static final int PR_CAPBSET_DROP = 24;
    private static final int PR_SET_NO_NEW_PRIVS = 38;

    // System call numbers, the same on all architectures.
    private static final int PIDFD_SEND_SIGNAL = 424;
    private static final int PIDFD_OPEN = 434;

    private ProcessCalls() {}

    /** The functions; looked up at the first call. */
    private static final class C {
        static final LibcFunction SETSID = new LibcFunction("setsid", 0);
        static final LibcFunction SETGROUPS = new LibcFunction("setgroups", 2);
        static final LibcFunction SETRESGID = new LibcFunction("setresgid", 3);
        static final LibcFunction SETRESUID = new LibcFunction("setresuid", 3);
        static final LibcFunction PRCTL = LibcFunction.variadic("prctl", 5, 1);
        static final LibcFunction SYSCALL = LibcFunction.variadic("syscall", 5, 1);
    }

    /**
     * Leaves the terminal's process group: Ctrl-C no longer reaches this process. Fails if it leads a group already.
     */
    public static void leaveTerminal() throws IOException {
        C.SETSID.call("setsid");
    }

    /** Changes the user of this process permanently, in all threads: the C library makes the calls in every thread. */
    public static void become(int uid, int gid, List<Integer> groups) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            int[] all = groups.stream().mapToInt(Integer::intValue).toArray();
            long address =
                    all.length == 0 ? 0 : arena.allocateFrom(JAVA_INT, all).address();
            C.SETGROUPS.call("setgroups", all.length, address);
        }
        C.SETRESGID.call("setresgid", gid, gid, gid);
        C.SETRESUID.call("setresuid", uid, uid, uid);
    }

    /** Prevents other processes of this user from tracing this process and reading its memory. */
    public static void forbidTracing() throws IOException {
        C.PRCTL.call("prctl", PR_SET_DUMPABLE, 0, 0, 0, 0);
    }

    /** Prevents processes started by this thread from gaining privileges through set-user-id programs. */
    public static void forbidNewPrivileges() throws IOException {
        C.PRCTL.call("prctl", PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    }

    /**
     * Removes capabilities from the programs that this thread starts, with one bit each as in {@code /proc/PID/status}.
     */
    public static void dropFromBoundingSet(long capabilities) throws IOException {
        for (int capability = 0; capability < Long.SIZE; capability++) {
            if ((capabilities >>> capability & 1) != 0) {
                C.PRCTL.call("prctl", PR_CAPBSET_DROP, capability, 0, 0, 0);
            }
        }
    }

    /** Opens a process as a pidfd, which refers to this process even after its pid is reused. */
    public static int openProcess(int pid) throws IOException {
        return C.SYSCALL.call("process " + pid, PIDFD_OPEN, pid, 0, 0, 0);
    }

    /**
     * Sends a signal to an opened process; 0 only checks whether the process exists. Fails if it has ended or
     * permission is missing.
     */
    public static void signal(int process, int signal) throws IOException {
        C.SYSCALL.call("signal", PIDFD_SEND_SIGNAL, process, signal, 0, 0);
    }
}
