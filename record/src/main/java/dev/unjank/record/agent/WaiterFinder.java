package dev.unjank.record.agent;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.AbstractOwnableSynchronizer;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Finds the threads that wait for a lock that another thread holds: blocked on a monitor, or parked on a lock with an
 * exclusive owner, such as {@code ReentrantLock} and the write lock of {@code ReentrantReadWriteLock}. Waits for a
 * condition, a latch, a semaphore or work have no owner and are skipped.
 *
 * <p>It finds platform threads only: virtual threads are not listed by the JVM, and there may be millions.
 *
 * <p>A sample reads two fields of each thread, and asks the JVM about blocked threads, without a safepoint. It is not
 * atomic: the states of two threads may be microseconds apart.
 */
final class WaiterFinder {
    private static final VarHandle EXCLUSIVE_OWNER;

    static {
        try {
            EXCLUSIVE_OWNER = MethodHandles.privateLookupIn(AbstractOwnableSynchronizer.class, MethodHandles.lookup())
                    .findVarHandle(AbstractOwnableSynchronizer.class, "exclusiveOwnerThread", Thread.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static final String CARRIER = "jdk.internal.misc.CarrierThread";

    private final ThreadMXBean bean = ManagementFactory.getThreadMXBean();
    private final ThreadGroup root;
    private Thread[] threads = new Thread[64];
    private int count;
    private final Map<Long, Thread> byId = new HashMap<>();

    /** Receives the waits. */
    interface Taker {
        /**
         * A thread waits for another.
         *
         * @param how {@link AgentProtocol#MONITOR} or {@link AgentProtocol#PARK}
         * @param times how often the waiter has waited for a lock of this kind; identifies the wait
         */
        void waits(Thread waiter, Thread owner, byte how, String lock, long times);
    }

    WaiterFinder() {
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        while (group.getParent() != null) {
            group = group.getParent();
        }
        root = group;
    }

    /** Samples all threads. */
    int find(Taker taker) {
        list();
        int found = 0;
        for (int i = 0; i < count; i++) {
            Thread thread = threads[i];
            boolean waits = switch (thread.getState()) {
                case BLOCKED -> blocked(thread, taker);
                case WAITING, TIMED_WAITING -> parked(thread, taker);
                default -> false;
            };
            found += waits ? 1 : 0;
        }
        clear();
        return found;
    }

    private void list() {
        count = root.enumerate(threads);
        while (count == threads.length) {
            threads = new Thread[2 * count];
            count = root.enumerate(threads);
        }
    }

    /** Drops the references to threads. */
    private void clear() {
        Arrays.fill(threads, 0, count, null);
        byId.clear();
    }

    private boolean blocked(Thread waiter, Taker taker) {
        ThreadInfo info = bean.getThreadInfo(waiter.threadId());
        if (info == null || info.getThreadState() != Thread.State.BLOCKED || info.getLockInfo() == null) {
            return false; // it has acquired the lock meanwhile
        }
        Thread owner = thread(info.getLockOwnerId());
        if (owner == null || owner.equals(waiter) || isCarrier(owner)) {
            return false;
        }
        taker.waits(waiter, owner, AgentProtocol.MONITOR, info.getLockInfo().getClassName(), info.getBlockedCount());
        return true;
    }

    /**
     * While a virtual thread runs with a monitor, the JVM reports its carrier as the owner, which may run another one
     * next.
     */
    private static boolean isCarrier(Thread owner) {
        return owner.getClass().getName().equals(CARRIER);
    }

    private boolean parked(Thread waiter, Taker taker) {
        if (!(LockSupport.getBlocker(waiter) instanceof AbstractOwnableSynchronizer lock)) {
            return false;
        }
        Thread owner = ownerPlain(lock);
        if (owner == null || owner.equals(waiter)) {
            return false;
        }
        ThreadInfo info = bean.getThreadInfo(waiter.threadId());
        if (info == null) {
            return false; // it has ended
        }
        taker.waits(waiter, owner, AgentProtocol.PARK, lock.getClass().getName(), info.getWaitedCount());
        return true;
    }

    /** Plain, as the field is: the owner writes it under the lock. An old value is one of a moment ago. */
    private static @Nullable Thread ownerPlain(AbstractOwnableSynchronizer lock) {
        return (Thread) EXCLUSIVE_OWNER.get(lock);
    }

    /** The listed thread with an id. */
    private @Nullable Thread thread(long id) {
        if (byId.isEmpty()) {
            for (int i = 0; i < count; i++) {
                byId.put(threads[i].threadId(), threads[i]);
            }
        }
        return byId.get(id);
    }
}
