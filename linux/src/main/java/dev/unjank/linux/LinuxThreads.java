package dev.unjank.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Scheduling and CPU affinity of threads, identified by their kernel thread ids. Any thread may read and change them,
 * subject to kernel permissions. A virtual thread has no id of its own: with {@link #SELF} these methods apply to its
 * carrier.
 */
public final class LinuxThreads {
    /** The calling thread, as an argument of all methods with a thread id. */
    public static final int SELF = 0;

    private static final long ATTR_SIZE = 48;
    private static final long POLICY = 4;
    private static final long FLAGS = 8;
    private static final long NICE = 16;
    private static final long PRIORITY = 20;
    private static final long RESET_ON_FORK = 1;

    private static final int MOST_CPUS = 8_192;

    private LinuxThreads() {}

    /**
     * Returns why these methods are unavailable on this system.
     *
     * @return the reason and the remedy; null if they are available
     */
    public static @Nullable String obstacle() {
        return SystemCall.obstacle();
    }

    /**
     * Returns the calling thread's id.
     *
     * @return the kernel's thread id in this process's namespace
     */
    public static int current() {
        return (int) SystemCall.GETTID.checked(SystemCall.GETTID.call(MemorySegment.NULL, 0, 0));
    }

    /**
     * Returns the scheduling of a thread.
     *
     * @param tid the thread's id, or {@link #SELF}
     * @return its scheduling; null if there is no such thread
     * @throws SystemCallException if the kernel refuses
     */
    public static @Nullable Scheduling scheduling(int tid) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attr = arena.allocate(ATTR_SIZE, Long.BYTES);
            long result = SystemCall.SCHED_GETATTR.call(SystemCall.number(tid), attr.address(), ATTR_SIZE);
            if (result == -Errno.ESRCH) {
                return null;
            }
            SystemCall.SCHED_GETATTR.checked(result);
            return new Scheduling(
                    attr.get(JAVA_INT, POLICY),
                    attr.get(JAVA_INT, NICE),
                    attr.get(JAVA_INT, PRIORITY),
                    (attr.get(JAVA_LONG, FLAGS) & RESET_ON_FORK) != 0);
        }
    }

    /**
     * Sets the scheduling of a thread.
     *
     * @param tid the thread's id, or {@link #SELF}
     * @param wanted the new scheduling; {@link Scheduling#DEADLINE} is not supported, since it needs a run time and a
     *     period
     * @return false if there is no such thread
     * @throws SystemCallException if the kernel refuses; raising a priority needs CAP_SYS_NICE or a sufficient resource
     *     limit
     */
    public static boolean schedule(int tid, Scheduling wanted) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attr = arena.allocate(ATTR_SIZE, Long.BYTES);
            attr.set(JAVA_INT, 0, (int) ATTR_SIZE);
            attr.set(JAVA_INT, POLICY, wanted.policy());
            attr.set(JAVA_LONG, FLAGS, wanted.isResetOnFork() ? RESET_ON_FORK : 0);
            attr.set(JAVA_INT, NICE, wanted.nice());
            attr.set(JAVA_INT, PRIORITY, wanted.priority());
            long result = SystemCall.SCHED_SETATTR.call(SystemCall.number(tid), attr.address(), 0);
            if (result == -Errno.ESRCH) {
                return false;
            }
            SystemCall.SCHED_SETATTR.checked(result);
            return true;
        }
    }

    /**
     * Returns the processor on which the calling thread runs. The result may already be stale on return.
     *
     * @return the processor's number
     */
    public static int currentProcessor() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment number = arena.allocate(JAVA_INT);
            SystemCall.GETCPU.checked(SystemCall.GETCPU.call(number, 0, 0));
            return number.get(JAVA_INT, 0);
        }
    }

    /**
     * Returns the processors on which a thread may run.
     *
     * @param tid the thread's id, or {@link #SELF}
     * @return the processors' numbers
     * @throws SystemCallException if the kernel refuses
     */
    public static BitSet affinity(int tid) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment mask = arena.allocate(MOST_CPUS / Byte.SIZE, Long.BYTES);
            long bytes = SystemCall.SCHED_GETAFFINITY.checked(
                    SystemCall.SCHED_GETAFFINITY.call(SystemCall.number(tid), mask.byteSize(), mask.address()));
            return BitSet.valueOf(mask.asSlice(0, bytes).asByteBuffer());
        }
    }

    /**
     * Restricts the calling thread, and threads that it starts afterwards, to the first few of its processors.
     *
     * @param count the maximum number of processors, at least one
     * @throws SystemCallException if the kernel refuses
     */
    public static void setAffinity(int count) {
        BitSet first = new BitSet();
        affinity(SELF).stream().limit(count).forEach(first::set);
        pinTo(SELF, first);
    }

    /**
     * Restricts a thread to the given processors.
     *
     * @param tid the thread's id, or {@link #SELF}
     * @param processors the processors' numbers; at least one of them must be allowed for the thread's process
     * @throws SystemCallException if the kernel refuses
     */
    public static void pinTo(int tid, BitSet processors) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment mask = arena.allocate(MOST_CPUS / Byte.SIZE, Long.BYTES);
            MemorySegment wanted = MemorySegment.ofArray(processors.toByteArray());
            MemorySegment.copy(wanted, 0, mask, 0, wanted.byteSize());
            SystemCall.SCHED_SETAFFINITY.checked(
                    SystemCall.SCHED_SETAFFINITY.call(SystemCall.number(tid), mask.byteSize(), mask.address()));
        }
    }
}
