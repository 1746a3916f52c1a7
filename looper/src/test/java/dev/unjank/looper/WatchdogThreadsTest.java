package dev.unjank.looper;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.looper.fixture.ManualLooper;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Threads in a watchdog's reports: owners of locks, deadlocks, threads that have ended, and the watchdog's own. */
@ParameterizedClass
@EnumSource
class WatchdogThreadsTest {
    @Parameter
    QueueKind kind;

    private ManualLooper loop;
    private LooperWatchdog watchdog;
    private final List<LooperStall> stalls = new ArrayList<>();

    @BeforeEach
    void makeLooper() {
        loop = new ManualLooper(kind);
        watchdog = new LooperWatchdog(Duration.ofMillis(100), stalls::add);
        watchdog.watch(loop.looper);
    }

    /** A looper on a thread of its own, on the test's clock, with a message that blocks on a lock of a third thread. */
    private LooperStall stallOf(Predicate<Thread> isBlocked, Runnable blocking) throws InterruptedException {
        HandlerThread thread =
                new HandlerThread("ui", LooperOptions.defaults().withQueue(kind).withClock(loop.clock));
        thread.start();
        watchdog.watch(thread.getLooper());
        CountDownLatch begun = new CountDownLatch(1);
        Runnable reported = () -> {
            begun.countDown();
            blocking.run();
        };
        new Handler(thread.getLooper()).post(reported);
        begun.await();
        while (!isBlocked.test(thread)) {
            Thread.onSpinWait();
        }
        loop.clock.advanceMillis(101);
        watchdog.check();
        thread.quit();
        return stalls.get(0);
    }

    /** A thread that owns a lock until it is released. */
    private static class OwnerThread extends Thread implements AutoCloseable {
        private final CountDownLatch owned = new CountDownLatch(1);
        private final CountDownLatch over = new CountDownLatch(1);

        OwnerThread() {
            super("owner");
        }

        void holdOn() {
            owned.countDown();
            try {
                over.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        void begin() throws InterruptedException {
            start();
            owned.await();
        }

        @Override
        public void close() {
            over.countDown();
        }
    }

    @Test
    void theOwnerOfAMonitorIsNamedWithItsStack() throws InterruptedException {
        Object lock = new Object();
        try (OwnerThread owner = new OwnerThread() {
            @Override
            public void run() {
                synchronized (lock) {
                    holdOn();
                }
            }
        }) {
            owner.begin();
            LooperStall stall = stallOf(t -> t.getState() == Thread.State.BLOCKED, () -> {
                synchronized (lock) {
                    loop.log.add("entered");
                }
            });
            checkOwnerIsNamed(stall, Thread.State.BLOCKED, "java.lang.Object@");
        }
    }

    @Test
    void theOwnerOfALockIsNamedWithItsStack() throws InterruptedException {
        ReentrantLock lock = new ReentrantLock();
        try (OwnerThread owner = new OwnerThread() {
            @Override
            public void run() {
                lock.lock();
                try {
                    holdOn();
                } finally {
                    lock.unlock();
                }
            }
        }) {
            owner.begin();
            LooperStall stall = stallOf(t -> waitsFor(lock, t), () -> {
                lock.lock();
                try {
                    loop.log.add("entered");
                } finally {
                    lock.unlock();
                }
            });
            checkOwnerIsNamed(stall, Thread.State.WAITING, "java.util.concurrent.locks.ReentrantLock$NonfairSync@");
        }
    }

    private static boolean waitsFor(ReentrantLock lock, Thread thread) {
        return lock.hasQueuedThread(thread) && thread.getState() == Thread.State.WAITING;
    }

    private static void checkOwnerIsNamed(LooperStall stall, Thread.State state, String lock) {
        assertThat(stall.threads()).hasSize(2);
        ThreadSnapshot ui = stall.threads().get(0);
        assertThat(ui.name()).isEqualTo("ui");
        assertThat(ui.state()).isEqualTo(state);
        assertThat(ui.waitsFor()).startsWith(lock);
        assertThat(ui.owner()).isEqualTo("owner");
        ThreadSnapshot owner = stall.threads().get(1);
        assertThat(owner.name()).isEqualTo("owner");
        assertThat(owner.stack()).anyMatch(f -> f.getMethodName().equals("holdOn"));
        assertThat(stall).asString().contains("which is owned by thread owner\n");
    }

    @Test
    void aDeadlockIsCalledOne() throws InterruptedException {
        ReentrantLock mine = new ReentrantLock();
        ReentrantLock theirs = new ReentrantLock();
        Thread other = new Thread(
                () -> {
                    theirs.lock();
                    try {
                        mine.lockInterruptibly();
                    } catch (InterruptedException e) {
                        // the end of the test
                    } finally {
                        theirs.unlock();
                    }
                },
                "other");
        LooperStall stall = stallOf(t -> waitsFor(theirs, t), () -> {
            mine.lock();
            try {
                other.start();
                while (!waitsFor(mine, other)) {
                    Thread.onSpinWait();
                }
                theirs.lock();
                try {
                    loop.log.add("entered");
                } finally {
                    theirs.unlock();
                }
            } finally {
                mine.unlock();
            }
        });
        other.interrupt();
        other.join();
        assertThat(stall.threads()).extracting(ThreadSnapshot::name).containsExactly("ui", "other");
        assertThat(stall.remark()).isEqualTo("Deadlock: these threads wait for each other.");
    }

    @Test
    void aLooperWhoseThreadHasEndedIsReportedAsLongAsSomethingWaitsForIt() throws InterruptedException {
        Looper[] looper = new Looper[1];
        Thread thread = new Thread(
                () -> {
                    Looper.prepare(LooperOptions.defaults().withQueue(kind).withClock(loop.clock));
                    looper[0] = Looper.myLooper();
                    watchdog.watch(looper[0]);
                },
                "gone");
        thread.start();
        thread.join();
        new Handler(looper[0]).sendEmptyMessage(7);
        loop.clock.advanceMillis(101);
        watchdog.check();
        assertThat(stalls).hasSize(1);
        assertThat(stalls.get(0).remark()).isEqualTo("The thread has ended.");
        looper[0].quit();
        watchdog.check();
        assertThat(stalls).hasSize(2);
        assertThat(looper[0].getQueue().observers()).as("nothing more to watch").isNull();
    }

    @Test
    void aWatchdogThatWasStartedReportsByItself() throws InterruptedException {
        LinkedBlockingQueue<LooperStall> reports = new LinkedBlockingQueue<>();
        try (LooperWatchdog started = new LooperWatchdog(Duration.ofMillis(100), reports::add)) {
            started.watch(loop.looper);
            started.start();
            started.start();
            loop.post("a");
            loop.clock.advanceMillis(101);
            assertThat(reports.take().kind()).isEqualTo(LooperStall.Kind.BACKLOG);
            loop.runDue();
            assertThat(reports.take().over()).isTrue();
        }
    }

    @Test
    void noReportWaitsForALockOfThePosters() throws InterruptedException {
        // the monitor queue runs a removal's predicate under its lock: a thread in there blocks every poster
        loop.post("a");
        loop.clock.advanceMillis(101);
        try (OwnerThread owner = new OwnerThread() {
            @Override
            public void run() {
                loop.queue.remove(m -> {
                    holdOn();
                    return false;
                });
            }
        }) {
            owner.begin();
            watchdog.check();
            assertThat(stalls).hasSize(1);
        }
    }
}
