package dev.unjank.locks.futex;

import dev.unjank.locks.Importance;
import dev.unjank.locks.PriorityTier;
import dev.unjank.locks.TestThreads;
import dev.unjank.locks.VipLock;
import dev.unjank.locks.VipReadWriteLock;
import dev.unjank.locks.VipSemaphore;
import dev.unjank.locks.handoff.Handoff;
import dev.unjank.locks.handoff.HandoffStrategy;
import dev.unjank.locks.handoff.RequestChannel;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/** A program without any privilege of Linux: it prints what is refused, and uses what is left. */
@SuppressWarnings({"LockNotBeforeTry", "WaitNotInLoop"}) // what throws ends the program
final class UnprivilegedProgram {
    /** So that no thread is overdue on a slow machine. */
    private static final Duration BOUND = Duration.ofDays(1);

    private UnprivilegedProgram() {}

    /** Prints it, a line each. */
    public static void main(String[] args) throws Exception {
        attempt("FutexMutex", FutexMutex::new);
        attempt("FutexReadWriteLock", FutexReadWriteLock::new);
        attempt("PiMutex", PiMutex::new);
        for (HandoffStrategy strategy : HandoffStrategy.values()) {
            attempt(strategy.name(), () -> new Handoff(strategy));
        }
        useLocks();
        try (RequestChannel<Integer, Integer> channel =
                        RequestChannel.start(HandoffStrategy.best(), (Integer i) -> i + 1);
                RequestChannel<Integer, Integer>.Client client = channel.connect()) {
            System.out.println("best: " + HandoffStrategy.best() + ", answers " + client.call(41));
        }
        System.out.println("tier: " + PriorityTier.current());
    }

    private static void attempt(String name, Supplier<Object> constructor) {
        try {
            Objects.requireNonNull(constructor.get());
            System.out.println(name + ": can be had");
        } catch (UnsupportedOperationException e) {
            System.out.println(name + ": refused, " + e.getMessage());
        }
    }

    /**
     * Lets a thread of each importance wait for each lock, the least important first, and prints the order of
     * acquisition.
     */
    static void useLocks() throws Exception {
        VipLock lock = new VipLock(BOUND);
        order("VipLock", lock::lock, lock::unlock, lock::getQueueLength);
        VipReadWriteLock both = new VipReadWriteLock(BOUND);
        order("VipReadWriteLock", both.writeLock()::lock, both.writeLock()::unlock, both::getQueueLength);
        VipSemaphore semaphore = new VipSemaphore(1, BOUND);
        order("VipSemaphore", semaphore::acquireUninterruptibly, semaphore::release, semaphore::getQueueLength);
        awaitSignal(lock);
    }

    private static void order(String name, Runnable enter, Runnable leave, IntSupplier waiting) throws Exception {
        List<Importance> order = new CopyOnWriteArrayList<>();
        enter.run();
        try (TestThreads threads = new TestThreads()) {
            for (Importance importance : Importance.values()) {
                int before = waiting.getAsInt();
                Thread thread = threads.start(Thread.ofPlatform(), importance, () -> {
                            enter.run();
                            order.add(importance);
                            leave.run();
                            return importance;
                        })
                        .thread();
                // asleep, too: who is being sorted is missed by the count, or counted twice
                TestThreads.until(() -> waiting.getAsInt() > before && thread.getState() == Thread.State.WAITING);
            }
            leave.run();
        }
        System.out.println(name + ": " + order);
    }

    private static void awaitSignal(Lock lock) throws Exception {
        Condition condition = lock.newCondition();
        lock.lock();
        try (TestThreads threads = new TestThreads()) {
            threads.start(() -> {
                lock.lock();
                condition.signal();
                lock.unlock();
            });
            System.out.println("Condition: " + condition.await(1, TimeUnit.MINUTES));
            lock.unlock();
        }
    }
}
