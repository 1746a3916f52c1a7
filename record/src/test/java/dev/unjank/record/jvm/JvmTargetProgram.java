package dev.unjank.record.jvm;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Predicate;

/**
 * What the tests record: executes the lines on its standard input, one scene each, and answers {@code done} when a
 * scene is over. A thread holds what it holds until all that are to wait for it do wait, and then for {@link #HOLD_MS}
 * more.
 */
final class JvmTargetProgram {
    static final int HOLD_MS = 200;

    private static final long POLL_NANOS = 200_000;

    /**
     * Long enough to be recorded: who looks again and again whether all wait sleeps meanwhile, however long that takes.
     */
    private static final int NAP_MS = 2;

    private static final CountDownLatch RELEASED = new CountDownLatch(1);
    private static Thread heldUp;

    /** Comes from another loader, too. */
    static final class Needed {
        private Needed() {}
    }

    private JvmTargetProgram() {}

    public static void main(String[] args) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        System.out.println("ready");
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            switch (line) {
                case "blocked" -> blocked();
                case "chain" -> chain();
                case "convoy" -> convoy();
                case "reentrant" -> reentrant();
                case "write" -> write();
                case "read" -> read();
                case "readers" -> readers();
                case "virtual" -> virtual();
                case "virtual waiters" -> virtualWaiters();
                case "condition" -> condition();
                case "collect" -> MemoryScenes.collect();
                case "critical" -> MemoryScenes.critical();
                case "long critical" -> MemoryScenes.longCritical();
                case "critical call" -> MemoryScenes.criticalCall();
                case "hunger" -> MemoryScenes.hunger();
                case "deep" -> deep();
                case "load" -> load();
                case "frames" -> LooperScenes.frames();
                case "flood" -> LooperScenes.flood();
                case "deadlock" -> deadlock();
                case "hold" -> hold();
                case "release" -> release();
                case "rights" -> rights();
                case "exit" -> System.exit(0);
                default -> throw new IOException("no scene " + line);
            }
            System.out.println("done");
        }
    }

    interface Body {
        void run() throws Exception;
    }

    static Thread thread(String name, Body body) {
        return new Thread(() -> unchecked(body), name);
    }

    static void unchecked(Body body) {
        try {
            body.run();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static void blocked() throws InterruptedException {
        Object lock = new Object();
        CountDownLatch held = new CountDownLatch(1);
        Thread ui = thread("ui (one)", () -> {
            held.await();
            enter(lock);
        });
        Thread worker = thread("worker", () -> holdUntilBlocked(lock, held, ui));
        run(worker, ui);
    }

    static void enter(Object lock) {
        synchronized (lock) {
            Thread.onSpinWait();
        }
    }

    static void holdUntilBlocked(Object lock, CountDownLatch held, Thread... waiters) throws InterruptedException {
        synchronized (lock) {
            held.countDown();
            // Not by await: an observer may look as soon as the waiter blocks, and is to find this method.
            for (Thread waiter : waiters) {
                while (waiter.getState() != Thread.State.BLOCKED) {
                    Thread.sleep(NAP_MS);
                }
            }
            Thread.sleep(HOLD_MS);
        }
    }

    /** One waits for two, who waits for three. */
    private static void chain() throws InterruptedException {
        Object first = new Object();
        Object second = new Object();
        CountDownLatch firstHeld = new CountDownLatch(1);
        CountDownLatch secondHeld = new CountDownLatch(1);
        Thread one = thread("chain one", () -> {
            firstHeld.await();
            enter(first);
        });
        Thread two = thread("chain two", () -> {
            secondHeld.await();
            synchronized (first) {
                firstHeld.countDown();
                await(Thread.State.BLOCKED, one);
                enter(second);
            }
        });
        Thread three = thread("chain three", () -> holdUntilBlocked(second, secondHeld, two, one));
        run(three, two, one);
    }

    private static void convoy() throws InterruptedException {
        Object lock = new Object();
        CountDownLatch held = new CountDownLatch(1);
        List<Thread> waiters = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            waiters.add(thread("convoy " + i, () -> {
                held.await();
                synchronized (lock) {
                    Thread.sleep(20);
                }
            }));
        }
        Thread[] all = waiters.toArray(new Thread[0]);
        Thread first = thread("convoy first", () -> holdUntilBlocked(lock, held, all));
        first.start();
        run(all);
        first.join();
    }

    private static void reentrant() throws InterruptedException {
        ReentrantLock lock = new ReentrantLock();
        parked(lock, lock::hasQueuedThread, "lock owner", "lock waiter");
    }

    private static void write() throws InterruptedException {
        ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
        parked(lock.writeLock(), lock::hasQueuedThread, "writer", "next writer");
    }

    private static void read() throws InterruptedException {
        ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
        parked(lock.writeLock(), lock.readLock(), lock::hasQueuedThread, "lone writer", "next reader");
    }

    /** The lock does not show its readers. */
    private static void readers() throws InterruptedException {
        ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
        parked(lock.readLock(), lock.writeLock(), lock::hasQueuedThread, "some reader", "waiting writer");
    }

    private static void parked(Lock lock, Predicate<Thread> isQueued, String ownerName, String waiterName)
            throws InterruptedException {
        parked(lock, lock, isQueued, ownerName, waiterName);
    }

    private static void parked(Lock owned, Lock wanted, Predicate<Thread> isQueued, String ownerName, String waiterName)
            throws InterruptedException {
        CountDownLatch held = new CountDownLatch(1);
        Thread waiter = thread(waiterName, () -> {
            held.await();
            wanted.lock();
            try {
                Thread.onSpinWait();
            } finally {
                wanted.unlock();
            }
        });
        Thread owner = thread(ownerName, () -> {
            owned.lock();
            try {
                held.countDown();
                while (!isQueued.test(waiter)) {
                    Thread.sleep(NAP_MS);
                }
                Thread.sleep(HOLD_MS);
            } finally {
                owned.unlock();
            }
        });
        run(owner, waiter);
    }

    /** A virtual thread has what two threads of the system's wait for. */
    private static void virtual() throws InterruptedException {
        Object monitor = new Object();
        ReentrantLock lock = new ReentrantLock();
        CountDownLatch held = new CountDownLatch(1);
        Thread blocked = thread("blocked by virtual", () -> {
            held.await();
            enter(monitor);
        });
        Thread parked = thread("parked by virtual", () -> {
            held.await();
            lock.lock();
            try {
                Thread.onSpinWait();
            } finally {
                lock.unlock();
            }
        });
        Thread owner = Thread.ofVirtual()
                .name("virtual owner")
                .unstarted(() -> unchecked(() -> {
                    lock.lock();
                    try {
                        synchronized (monitor) {
                            held.countDown();
                            await(Thread.State.BLOCKED, blocked);
                            while (!lock.hasQueuedThread(parked)) {
                                Thread.sleep(NAP_MS);
                            }
                            Thread.sleep(HOLD_MS);
                        }
                    } finally {
                        lock.unlock();
                    }
                }));
        run(owner, blocked, parked);
    }

    /** Virtual threads wait for a monitor and for a lock. */
    private static void virtualWaiters() throws InterruptedException {
        Object monitor = new Object();
        ReentrantLock lock = new ReentrantLock();
        CountDownLatch held = new CountDownLatch(1);
        Thread blocked = Thread.ofVirtual()
                .name("virtual blocked")
                .unstarted(() -> unchecked(() -> {
                    held.await();
                    enter(monitor);
                }));
        Thread parked = Thread.ofVirtual()
                .name("virtual parked")
                .unstarted(() -> unchecked(() -> {
                    held.await();
                    lock.lock();
                    try {
                        Thread.onSpinWait();
                    } finally {
                        lock.unlock();
                    }
                }));
        Thread owner = thread("owner of both", () -> {
            lock.lock();
            try {
                holdUntilBlocked(monitor, held, blocked);
                while (!lock.hasQueuedThread(parked)) {
                    LockSupport.parkNanos(POLL_NANOS);
                }
                Thread.sleep(HOLD_MS);
            } finally {
                lock.unlock();
            }
        });
        run(owner, blocked, parked);
    }

    private static void condition() throws InterruptedException {
        ReentrantLock lock = new ReentrantLock();
        Condition condition = lock.newCondition();
        CountDownLatch locked = new CountDownLatch(1);
        AtomicBoolean over = new AtomicBoolean();
        Thread waiter = thread("condition waiter", () -> {
            lock.lock();
            try {
                locked.countDown();
                while (!over.get()) {
                    condition.awaitUninterruptibly();
                }
            } finally {
                lock.unlock();
            }
        });
        waiter.start();
        locked.await();
        lock.lock(); // it waits now
        try {
            Thread.sleep(HOLD_MS);
            over.set(true);
            condition.signal();
        } finally {
            lock.unlock();
        }
        waiter.join();
    }

    /** A thread needs a class whose loader takes its time. */
    private static void load() throws InterruptedException {
        ClassLoader slow = new ClassLoader(null) {
            @Override
            protected Class<?> findClass(String name) throws ClassNotFoundException {
                try (InputStream in = JvmTargetProgram.class.getResourceAsStream("JvmTargetProgram$Needed.class")) {
                    byte[] bytes = in.readAllBytes();
                    Thread.sleep(HOLD_MS);
                    return defineClass(name, bytes, 0, bytes.length);
                } catch (IOException | InterruptedException e) {
                    throw new ClassNotFoundException(name, e);
                }
            }
        };
        run(thread("class user", () -> Class.forName(Needed.class.getName(), true, slow)));
    }

    /** Threads that are at the end of their stacks when they begin to wait for a monitor. */
    private static void deep() throws InterruptedException {
        Object lock = new Object();
        Thread[] threads = new Thread[3];
        long end = System.nanoTime() + 1_000_000_000L;
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(
                    null,
                    () -> {
                        while (System.nanoTime() - end < 0) {
                            try {
                                descend(lock, 0);
                            } catch (StackOverflowError e) {
                                Thread.onSpinWait();
                            }
                        }
                    },
                    "deep " + i,
                    1 << 18);
        }
        run(threads);
    }

    private static int descend(Object lock, int depth) {
        enter(lock);
        return depth == Integer.MAX_VALUE ? depth : descend(lock, depth + 1) + 1;
    }

    /** One waits for another until the scene {@code release}. */
    private static void hold() throws InterruptedException {
        Object lock = new Object();
        CountDownLatch held = new CountDownLatch(1);
        Thread holder = thread("holder", () -> {
            synchronized (lock) {
                held.countDown();
                RELEASED.await();
            }
        });
        holder.start();
        held.await();
        heldUp = thread("held up", () -> enter(lock));
        heldUp.start();
        await(Thread.State.BLOCKED, heldUp);
        Thread.sleep(HOLD_MS);
    }

    private static void release() throws InterruptedException {
        RELEASED.countDown();
        heldUp.join();
    }

    /** Never comes to an end. */
    private static void deadlock() throws InterruptedException {
        Object left = new Object();
        Object right = new Object();
        CountDownLatch both = new CountDownLatch(2);
        Thread one = thread("deadlock one", () -> takeBoth(left, right, both));
        Thread two = thread("deadlock two", () -> takeBoth(right, left, both));
        one.setDaemon(true);
        two.setDaemon(true);
        one.start();
        two.start();
        await(Thread.State.BLOCKED, one, two);
        Thread.sleep(HOLD_MS);
    }

    private static void takeBoth(Object mine, Object others, CountDownLatch both) throws InterruptedException {
        synchronized (mine) {
            both.countDown();
            both.await();
            enter(others);
        }
    }

    /** Fails if the JDK is opened to this program, which has no such option. */
    private static void rights() {
        Module jdk = Object.class.getModule();
        for (String name : List.of("java.lang", "java.util.concurrent.locks", "jdk.internal.misc")) {
            if (jdk.isOpen(name, JvmTargetProgram.class.getModule())) {
                throw new IllegalStateException(name + " is open");
            }
        }
    }

    static void run(Thread... threads) throws InterruptedException {
        for (Thread thread : threads) {
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private static void await(Thread.State state, Thread... threads) {
        for (Thread thread : threads) {
            while (thread.getState() != state) {
                LockSupport.parkNanos(POLL_NANOS);
            }
        }
    }
}
