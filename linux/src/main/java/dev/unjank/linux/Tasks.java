package dev.unjank.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * How the kernel runs threads, which it knows by their numbers. Any thread may ask and change; whether it may is the kernel's
 * decision. Of a virtual thread there is no number: what one asks about itself would be about its carrier.
 */
public final class Tasks {
    /** The calling thread, wherever a number is asked for. */
    public static final int SELF = 0;

    private static final long ATTR_SIZE = 48;
    private static final long POLICY = 4;
    private static final long FLAGS = 8;
    private static final long NICE = 16;
    private static final long PRIORITY = 20;
    private static final long RESET_ON_FORK = 1;

    private static final int MOST_CPUS = 8_192;

    private Tasks() {}

    /**
     * Why none of this can be called here.
     *
     * @return the reason and what to do, null if it can be
     */
    public static @Nullable String obstacle() {
        return SystemCall.obstacle();
    }

    /**
     * The calling thread's number.
     *
     * @return the number that the kernel gave it in this process's namespace
     */
    public static int current() {
        return (int) checked(SystemCall.GETTID, SystemCall.GETTID.call(0, 0, 0));
    }

    /**
     * How a thread is scheduled.
     *
     * @param tid its number, or {@link #SELF}
     * @return its scheduling, null if there is no such thread
     * @throws IllegalStateException if the kernel refuses
     */
    public static @Nullable Scheduling scheduling(int tid) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attr = arena.allocate(ATTR_SIZE, Long.BYTES);
            long result = SystemCall.SCHED_GETATTR.call(tid, attr.address(), ATTR_SIZE, 0, 0, 0);
            if (result == -SystemCall.ESRCH) {
                return null;
            }
            checked(SystemCall.SCHED_GETATTR, result);
            return new Scheduling(
                    attr.get(JAVA_INT, POLICY),
                    attr.get(JAVA_INT, NICE),
                    attr.get(JAVA_INT, PRIORITY),
                    (attr.get(JAVA_LONG, FLAGS) & RESET_ON_FORK) != 0);
        }
    }

    /**
     * Has a thread scheduled in another way.
     *
     * @param tid its number, or {@link #SELF}
     * @param wanted how; not {@link Scheduling#DEADLINE}, which needs a budget
     * @return false if there is no such thread
     * @throws IllegalStateException if the kernel refuses, as it does without CAP_SYS_NICE when this is better than what it is now
     */
    public static boolean schedule(int tid, Scheduling wanted) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attr = arena.allocate(ATTR_SIZE, Long.BYTES);
            attr.set(JAVA_INT, 0, (int) ATTR_SIZE);
            attr.set(JAVA_INT, POLICY, wanted.policy());
            attr.set(JAVA_LONG, FLAGS, wanted.isResetOnFork() ? RESET_ON_FORK : 0);
            attr.set(JAVA_INT, NICE, wanted.nice());
            attr.set(JAVA_INT, PRIORITY, wanted.priority());
            long result = SystemCall.SCHED_SETATTR.call(tid, attr.address(), 0);
            if (result == -SystemCall.ESRCH) {
                return false;
            }
            checked(SystemCall.SCHED_SETATTR, result);
            return true;
        }
    }

    /**
     * The processors on which a thread may run.
     *
     * @param tid its number, or {@link #SELF}
     * @return their numbers
     * @throws IllegalStateException if the kernel refuses
     */
    public static BitSet processors(int tid) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment mask = arena.allocate(MOST_CPUS / Byte.SIZE, Long.BYTES);
            long bytes = checked(
                    SystemCall.SCHED_GETAFFINITY,
                    SystemCall.SCHED_GETAFFINITY.call(tid, mask.byteSize(), mask.address()));
            return BitSet.valueOf(mask.asSlice(0, bytes).asByteBuffer());
        }
    }

    /**
     * Has a thread run on some processors only.
     *
     * @param tid its number, or {@link #SELF}
     * @param processors their numbers, at least one that this process may use
     * @throws IllegalStateException if the kernel refuses
     */
    public static void runOn(int tid, BitSet processors) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment mask = arena.allocate(MOST_CPUS / Byte.SIZE, Long.BYTES);
            MemorySegment.copy(
                    MemorySegment.ofArray(processors.toLongArray()), 0, mask, 0, processors.toLongArray().length * 8L);
            checked(
                    SystemCall.SCHED_SETAFFINITY,
                    SystemCall.SCHED_SETAFFINITY.call(tid, mask.byteSize(), mask.address()));
        }
    }

    private static long checked(SystemCall call, long result) {
        if (result < 0) {
            throw call.failure(result);
        }
        return result;
    }
}
