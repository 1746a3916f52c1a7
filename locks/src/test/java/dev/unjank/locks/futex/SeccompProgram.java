package dev.unjank.locks.futex;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.unjank.linux.Futex;
import dev.unjank.locks.Importance;
import dev.unjank.locks.PriorityTier;
import dev.unjank.locks.TestThreads;
import dev.unjank.locks.VipLock;
import dev.unjank.locks.handoff.HandoffStrategy;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;

/**
 * A program that first forbids itself, permanently, the system calls of the locks: futexes with priority inheritance,
 * scheduling, affinity. Then it prints what is left. The numbers are those of x86-64.
 */
@SuppressWarnings("LockNotBeforeTry") // nothing is done under it
final class SeccompProgram {
    private static final int LOAD = 0x20;
    private static final int AND = 0x54;
    private static final int IF_EQUAL = 0x15;
    private static final int RETURN = 0x06;
    private static final int ALLOW = 0x7fff_0000;
    private static final int NOT_IN_THIS_KERNEL = 0x0005_0000 | 38;

    private static final int PRCTL = 157;
    private static final int SECCOMP = 317;

    /** Code, where to go if equal, where if not, operand. */
    private static final int[][] FILTER = {
        {LOAD, 0, 0, 0}, // the number of the call
        {IF_EQUAL, 8, 0, 314}, // sched_setattr
        {IF_EQUAL, 7, 0, 203}, // sched_setaffinity
        {IF_EQUAL, 0, 5, 202}, // futex
        {LOAD, 0, 0, 24}, // its operation
        {AND, 0, 0, 0x7f},
        {IF_EQUAL, 3, 0, 6}, // lock_pi
        {IF_EQUAL, 2, 0, 8}, // trylock_pi
        {IF_EQUAL, 1, 0, 13}, // lock_pi2
        {RETURN, 0, 0, ALLOW},
        {RETURN, 0, 0, NOT_IN_THIS_KERNEL},
    };

    /** As Linux was before 5.14. */
    private static final int[][] OLD_KERNEL = {
        {LOAD, 0, 0, 0}, // the number of the call
        {IF_EQUAL, 0, 3, 202}, // futex
        {LOAD, 0, 0, 24}, // its operation
        {AND, 0, 0, 0x7f},
        {IF_EQUAL, 1, 0, 13}, // lock_pi2
        {RETURN, 0, 0, ALLOW},
        {RETURN, 0, 0, NOT_IN_THIS_KERNEL},
    };

    private SeccompProgram() {}

    /**
     * Prints what is left, a line each; or the tier after a privilege was revoked; or how waiting works on an old
     * kernel.
     */
    public static void main(String[] args) throws Throwable {
        switch (args.length == 0 ? "" : args[0]) {
            case "late" -> {
                System.out.println("before: " + PriorityTier.current());
                enter(FILTER);
                contend();
                contend();
                System.out.println("after: " + PriorityTier.current());
            }
            case "old" -> {
                enter(OLD_KERNEL);
                waitInTime();
            }
            default -> {
                enter(FILTER);
                printAvailableFeatures();
            }
        }
    }

    private static void printAvailableFeatures() throws Exception {
        System.out.println("pi: " + Futex.piObstacle());
        try {
            System.out.println(new PiMutex());
        } catch (UnsupportedOperationException e) {
            System.out.println("PiMutex: " + e.getMessage());
        }
        Lock mutex = new FutexMutex();
        mutex.lock();
        try {
            System.out.println("FutexMutex: fine");
        } finally {
            mutex.unlock();
        }
        System.out.println("best: " + HandoffStrategy.best());
        System.out.println("same: " + HandoffStrategy.SAME_PROCESSOR.obstacle());
        UnprivilegedProgram.useLocks();
        System.out.println("tier: " + PriorityTier.current());
    }

    /** A thread waits in the kernel for a mutex with inheritance, in vain at first. */
    private static void waitInTime() {
        MemorySegment word = Arena.ofAuto().allocate(ValueLayout.JAVA_INT);
        PiMutex mutex = new PiMutex(word, Futex.Scope.PROCESS);
        try (TestThreads threads = new TestThreads()) {
            mutex.lock();
            System.out.println("in 20 ms: "
                    + threads.call(() -> mutex.tryLock(20, TimeUnit.MILLISECONDS))
                            .get());
            TestThreads.Task<Boolean> later = threads.call(() -> mutex.tryLock(30, TimeUnit.SECONDS));
            TestThreads.until(() -> (word.get(ValueLayout.JAVA_INT, 0) & Futex.PI_WAITERS) != 0);
            mutex.unlock();
            System.out.println("in 30 s: " + later.get());
        }
    }

    /** An important thread waits, and would donate. */
    private static void contend() throws InterruptedException {
        VipLock lock = new VipLock();
        Thread important = Thread.ofPlatform()
                .unstarted(() -> Importance.VIP.run(() -> {
                    lock.lock();
                    lock.unlock();
                }));
        lock.lock();
        try {
            important.start();
            TestThreads.until(() -> important.getState() == Thread.State.WAITING);
        } finally {
            lock.unlock();
        }
        important.join();
    }

    @SuppressWarnings("restricted") // prctl(PR_SET_NO_NEW_PRIVS) and seccomp(SET_MODE_FILTER, all threads, program)
    private static void enter(int[][] instructions) throws Throwable {
        Linker linker = Linker.nativeLinker();
        MethodHandle call = linker.downcallHandle(
                linker.defaultLookup().findOrThrow("syscall"),
                FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_LONG),
                Linker.Option.firstVariadicArg(1));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment filter = arena.allocate(8L * instructions.length, 8);
            for (int i = 0; i < instructions.length; i++) {
                filter.set(ValueLayout.JAVA_SHORT, 8L * i, (short) instructions[i][0]);
                filter.set(ValueLayout.JAVA_BYTE, 8L * i + 2, (byte) instructions[i][1]);
                filter.set(ValueLayout.JAVA_BYTE, 8L * i + 3, (byte) instructions[i][2]);
                filter.set(ValueLayout.JAVA_INT, 8L * i + 4, instructions[i][3]);
            }
            MemorySegment program = arena.allocate(16, 8);
            program.set(ValueLayout.JAVA_SHORT, 0, (short) instructions.length);
            program.set(ADDRESS, 8, filter);
            long privileges = (long) call.invokeExact((long) PRCTL, 38L, 1L, MemorySegment.NULL, 0L, 0L);
            long entered = (long) call.invokeExact((long) SECCOMP, 1L, 1L, program, 0L, 0L);
            if (privileges != 0 || entered != 0) {
                System.out.println("no filter");
                System.exit(0);
            }
        }
    }
}
