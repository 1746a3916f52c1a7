package dev.unjank.locks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Date;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import org.junit.jupiter.api.Test;

@SuppressWarnings({"JavaUtilDate", "LockNotBeforeTry", "WaitNotInLoop"
}) // if a test fails, the locks are no longer used
class VipConditionTest {
    /** A clock that advances at each reading, and so little that no thread becomes overdue on a slow machine. */
    private final AtomicLong clock = new AtomicLong();

    private final VipLock lock = new VipLock(new VipLock.Sync(new WaitQueue(1_000_000, clock::incrementAndGet)));
    private final Condition condition = lock.newCondition();
    private final List<String> order = Collections.synchronizedList(new ArrayList<>());

    private Thread waiter(TestThreads threads, Importance importance, String name) {
        int before = waiting();
        Thread thread = threads.start(Thread.ofPlatform().name(name), importance, () -> {
                    lock.lock();
                    condition.await();
                    order.add(name);
                    lock.unlock();
                    return name;
                })
                .thread();
        TestThreads.until(() -> waiting() == before + 1);
        return thread;
    }

    private int waiting() {
        lock.lock();
        try {
            return lock.getWaitQueueLength(condition);
        } finally {
            lock.unlock();
        }
    }

    private void signal() {
        lock.lock();
        condition.signal();
        lock.unlock();
    }

    @Test
    void aSignalGoesToTheMostImportant() throws Exception {
        try (TestThreads threads = new TestThreads()) {
            waiter(threads, Importance.ORDINARY, "a");
            waiter(threads, Importance.VIP, "v");
            waiter(threads, Importance.ORDINARY, "b");
            for (int i = 1; i <= 3; i++) {
                int awake = i;
                signal();
                TestThreads.until(() -> order.size() == awake);
            }
        }

        assertThat(order).containsExactly("v", "a", "b");
    }

    @Test
    void aSignalToAllWakesAllInOrder() throws Exception {
        try (TestThreads threads = new TestThreads()) {
            waiter(threads, Importance.ORDINARY, "a");
            waiter(threads, Importance.ORDINARY, "b");
            waiter(threads, Importance.VIP, "v");
            lock.lock();
            condition.signalAll();
            assertThat(order).isEmpty();
            lock.unlock();
        }

        assertThat(order).containsExactly("v", "a", "b");
    }

    @Test
    void timeEndsIt() throws Exception {
        lock.lock();
        assertThat(condition.await(1, TimeUnit.MILLISECONDS)).isFalse();
        assertThat(condition.awaitNanos(1_000)).isNotPositive();
        assertThat(condition.awaitUntil(new Date())).isFalse();
        assertThat(lock.getHoldCount()).isEqualTo(1);
        assertThat(lock.getWaitQueueLength(condition)).isZero();
        lock.unlock();
    }

    @Test
    void itIsReleasedAndTakenAgainAsOftenAsItWasHeld() throws Exception {
        lock.lock();
        lock.lock();
        try (TestThreads threads = new TestThreads()) {
            threads.start(this::signalOnce);
            condition.await();
        }
        assertThat(lock.getHoldCount()).isEqualTo(2);
        lock.unlock();
        lock.unlock();
    }

    private void signalOnce() {
        signal(); // can be had only when the other waits
    }

    @Test
    void anInterruptEndsIt() throws Exception {
        try (TestThreads threads = new TestThreads()) {
            Thread thread = threads.start(() -> {
                        lock.lock();
                        assertThatExceptionOfType(InterruptedException.class).isThrownBy(condition::await);
                        assertThat(lock.isHeldByCurrentThread()).isTrue();
                        lock.unlock();
                    })
                    .thread();
            TestThreads.until(() -> waiting() == 1);
            thread.interrupt();
        }
        assertThat(waiting()).isZero();
    }

    @Test
    void anInterruptDoesNotEndTheOther() throws Exception {
        try (TestThreads threads = new TestThreads()) {
            Thread thread = threads.start(() -> {
                        lock.lock();
                        condition.awaitUninterruptibly();
                        assertThat(Thread.interrupted()).isTrue();
                        lock.unlock();
                    })
                    .thread();
            TestThreads.until(() -> waiting() == 1);
            thread.interrupt();
            TestThreads.until(() -> thread.getState() == Thread.State.WAITING);
            signal();
        }
    }

    @Test
    void needsTheLock() {
        assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(condition::await);
        assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(condition::signal);
        assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(condition::signalAll);
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> lock.getWaitQueueLength(new VipLock().newCondition()));
    }
}
