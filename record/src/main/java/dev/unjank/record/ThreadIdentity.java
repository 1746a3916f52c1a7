package dev.unjank.record;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A thread's id and name in a trace. A platform thread on Linux has its kernel thread id, so that its slices appear with its scheduling.
 * A virtual thread, and any thread on another system, gets an id outside the kernel's range.
 */
final class ThreadIdentity {
    /** Linux numbers threads below 2^22. */
    private static final int NOT_THE_KERNELS = 1 << 30;

    private static final Path SELF = Path.of("/proc/thread-self");
    private static final ThreadLocal<ThreadIdentity> CURRENT =
            ThreadLocal.withInitial(() -> new ThreadIdentity(Thread.currentThread()));

    static final int PID = (int) ProcessHandle.current().pid();

    final int tid;
    final long javaId;
    final String name;

    /** How many messages it has sent that were marked. Its own. */
    private long sent;

    private ThreadIdentity(Thread thread) {
        javaId = thread.threadId();
        tid = tid(thread);
        name = name(thread);
    }

    /** What a thread is called; one without a name goes by its number. */
    static String name(Thread thread) {
        return thread.getName().isEmpty() ? "thread " + thread.threadId() : thread.getName();
    }

    /** The current thread. The first call of each thread asks the system for its number, which takes some microseconds. */
    static ThreadIdentity am() {
        return CURRENT.get();
    }

    /** A number that no other message of this process has. The thread itself only. */
    long nextFlow() {
        return (javaId << 40) ^ sent++;
    }

    private static int tid(Thread thread) {
        if (!thread.isVirtual()) {
            try {
                Path task = Files.readSymbolicLink(SELF).getFileName();
                return task == null ? made(thread) : Integer.parseInt(task.toString());
            } catch (IOException | NumberFormatException | UnsupportedOperationException e) {
                return made(thread); // no Linux
            }
        }
        return made(thread);
    }

    private static int made(Thread thread) {
        return NOT_THE_KERNELS | ((int) thread.threadId() & (NOT_THE_KERNELS - 1));
    }
}
