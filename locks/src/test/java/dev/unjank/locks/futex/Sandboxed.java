package dev.unjank.locks.futex;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.unjank.linux.Futex;
import dev.unjank.locks.Importance;
import dev.unjank.locks.Threads;
import dev.unjank.locks.Tier;
import dev.unjank.locks.VipLock;
import dev.unjank.locks.handoff.Strategy;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.locks.Lock;

/**
 * A program that first forbids itself, for good, to call what the locks would like to: futexes with priority inheritance, another
 * scheduling, other processors. Then it says what is left. The numbers are those of x86-64.
 */
@SuppressWarnings("LockNotBeforeTry") // nothing is done under it
final class Sandboxed {
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

    private Sandboxed() {}

    /** Says what is left, a line for each; or, with an argument, what is left of the tier after it was known. */
    public static void main(String[] args) throws Throwable {
        if (args.length > 0) {
            System.out.println("before: " + Tier.current());
            enter();
            contend();
            contend();
            System.out.println("after: " + Tier.current());
            return;
        }
        enter();
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
        System.out.println("best: " + Strategy.best());
        System.out.println("same: " + Strategy.SAME_PROCESSOR.obstacle());
        System.out.println("tier: " + Tier.current());
    }

    /** An important thread waits, and would lend. */
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
            Threads.until(() -> important.getState() == Thread.State.WAITING);
        } finally {
            lock.unlock();
        }
        important.join();
    }

    @SuppressWarnings("restricted") // prctl(PR_SET_NO_NEW_PRIVS) and seccomp(SET_MODE_FILTER, all threads, program)
    private static void enter() throws Throwable {
        Linker linker = Linker.nativeLinker();
        MethodHandle call = linker.downcallHandle(
                linker.defaultLookup().findOrThrow("syscall"),
                FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_LONG),
                Linker.Option.firstVariadicArg(1));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment filter = arena.allocate(8L * FILTER.length, 8);
            for (int i = 0; i < FILTER.length; i++) {
                filter.set(ValueLayout.JAVA_SHORT, 8L * i, (short) FILTER[i][0]);
                filter.set(ValueLayout.JAVA_BYTE, 8L * i + 2, (byte) FILTER[i][1]);
                filter.set(ValueLayout.JAVA_BYTE, 8L * i + 3, (byte) FILTER[i][2]);
                filter.set(ValueLayout.JAVA_INT, 8L * i + 4, FILTER[i][3]);
            }
            MemorySegment program = arena.allocate(16, 8);
            program.set(ValueLayout.JAVA_SHORT, 0, (short) FILTER.length);
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
