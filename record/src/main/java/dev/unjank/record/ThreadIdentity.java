package dev.unjank.record;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A thread's id and name in a trace. A platform thread on Linux has its kernel thread id, so that its slices appear
 * with its scheduling. A virtual thread, and any thread on another system, gets an id outside the kernel's range.
 */
final class ThreadIdentity {
    /** Linux thread ids are below 2^22. */
    private static final int NOT_THE_KERNELS = 1 << 30;

    private static final Path SELF = Path.of("/proc/thread-self");
    private static final ThreadLocal<ThreadIdentity> CURRENT =
            ThreadLocal.withInitial(() -> new ThreadIdentity(Thread.currentThread()));

    static final int PID = (int) ProcessHandle.current().pid();

    final int tid;
    final long javaId;
    final String name;

    /** The number of recorded messages that this thread has sent. Accessed only by the thread itself. */
    private long sent;

    private ThreadIdentity(Thread thread) {
        javaId = thread.threadId();
        tid = tid(thread);
        name = name(thread);
    }

    /** The name of a thread; for unnamed threads {@code thread ID}. */
    static String name(Thread thread) {
        return thread.getName().isEmpty() ? "thread " + thread.threadId() : thread.getName();
    }

    /**
     * The identity of the current thread. The first call of each thread looks up the kernel thread id, which takes a
     * few microseconds.
     */
    static ThreadIdentity am() {
        return CURRENT.get();
    }

    /** A flow id that is unique in this process. Called only by the thread itself. */
    long nextFlow() {
        return (javaId << 40) ^ sent++;
    }

    private static int tid(Thread thread) {
        if (!thread.isVirtual()) {
            try {
                Path task = Files.readSymbolicLink(SELF).getFileName();
                return task == null ? made(thread) : Integer.parseInt(task.toString());
            } catch (IOException | NumberFormatException | UnsupportedOperationException e) {
                return made(thread); // not on Linux
            }
        }
        return made(thread);
    }

    private static int made(Thread thread) {
        return NOT_THE_KERNELS | ((int) thread.threadId() & (NOT_THE_KERNELS - 1));
    }
}
