package dev.unjank.locks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The contract of a condition of java.util.concurrent, as {@link LockContractTest} is for the lock. */
@ParameterizedClass
@EnumSource
@SuppressWarnings({"LockNotBeforeTry", "WaitNotInLoop", "JavaUtilDate"
}) // if a test fails, the locks are no longer used
class ConditionContractTest {
    private static final long SHORT_NANOS = TimeUnit.MILLISECONDS.toNanos(LockContractTest.SHORT_MILLIS);

    @Parameter
    LockSubject.Kind kind;

    private LockSubject subject;
    private Lock lock;
    private Condition condition;

    @BeforeEach
    void make() {
        subject = kind.make();
        lock = subject.lock();
        condition = lock.newCondition();
    }

    /** A way to wait. */
    private interface Await {
        boolean on(Condition condition) throws InterruptedException;
    }

    private static final List<Await> ALL = List.of(
            condition -> {
                condition.await();
                return true;
            },
            condition -> condition.await(1, TimeUnit.DAYS),
            condition -> condition.awaitNanos(Long.MAX_VALUE) > 0,
            condition -> condition.awaitUntil(Date.from(Instant.now().plusSeconds(100_000))));

    private int waiters() {
        lock.lock();
        try {
            return subject.waitQueueLength(condition);
        } finally {
            lock.unlock();
        }
    }

    private Thread waiting(TestThreads threads, TestThreads.Action action) {
        int before = waiters();
        Thread thread = threads.start(action).thread();
        TestThreads.until(() -> waiters() == before + 1 && TestThreads.sleeps(thread));
        return thread;
    }

    private void signal() {
        lock.lock();
        condition.signal();
        lock.unlock();
    }

    @Test
    void onlyTheOwnerMayUseTheCondition() {
        for (Await await : ALL) {
            assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(() -> await.on(condition));
        }
        assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(condition::awaitUninterruptibly);
        assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(condition::signal);
        assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(condition::signalAll);
        assertThatExceptionOfType(IllegalMonitorStateException.class)
                .isThrownBy(() -> subject.waitQueueLength(condition));
        assertThat(subject.isLocked()).isFalse();
    }

    @Test
    void callsWithoutTheLockDoNotAffectWaiters() throws Exception {
        AtomicBoolean isOver = new AtomicBoolean();
        try (TestThreads threads = new TestThreads()) {
            threads.start(() -> {
                while (!isOver.get()) {
                    assertThatExceptionOfType(IllegalMonitorStateException.class)
                            .isThrownBy(condition::await);
                }
            });
            for (int i = 0; i < 5; i++) {
                waiting(threads, () -> {
                    lock.lock();
                    condition.await();
                    lock.unlock();
                });
            }
            lock.lock();
            assertThat(subject.waitQueueLength(condition)).isEqualTo(5);
            condition.signalAll();
            lock.unlock();
            isOver.set(true);
        }
    }

    @Test
    void aConditionOfAnotherLockIsRefused() {
        lock.lock();
        Condition other = kind.make().lock().newCondition();
        assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> subject.waitQueueLength(other));
        lock.unlock();
    }

    @Test
    void aSignalEndsEveryKindOfWait() throws Exception {
        for (Await await : ALL) {
            AtomicBoolean isSignalled = new AtomicBoolean();
            try (TestThreads threads = new TestThreads()) {
                waiting(threads, () -> {
                    lock.lock();
                    assertThat(await.on(condition)).isTrue();
                    assertThat(isSignalled).isTrue();
                    assertThat(subject.isMine()).isTrue();
                    lock.unlock();
                });
                isSignalled.set(true);
                signal();
            }
        }
        assertThat(subject.isLocked()).isFalse();
    }

    @Test
    void aWaiterHasReleasedTheLock() throws Exception {
        try (TestThreads threads = new TestThreads()) {
            waiting(threads, () -> {
                lock.lock();
                condition.await();
                lock.unlock();
            });
            lock.lock();
            assertThat(subject.isMine()).isTrue();
            condition.signal();
            assertThat(subject.waitQueueLength(condition)).isZero();
            lock.unlock();
        }
    }

    @Test
    void aSignalledWaiterGoesOnWhenTheSignallerHasReleasedTheLock() throws Exception {
        try (TestThreads threads = new TestThreads()) {
            AtomicBoolean isReleased = new AtomicBoolean();
            Thread thread = waiting(threads, () -> {
                lock.lock();
                condition.await();
                assertThat(isReleased).isTrue();
                lock.unlock();
            });
            lock.lock();
            condition.signal();
            TestThreads.until(() -> subject.isQueued(thread));
            isReleased.set(true);
            lock.unlock();
        }
    }

    @Test
    void aSignalWakesOneAndFirstTheFirst() throws Exception {
        List<Integer> order = new ArrayList<>();
        try (TestThreads threads = new TestThreads()) {
            for (int i = 0; i < 3; i++) {
                int number = i;
                waiting(threads, () -> {
                    lock.lock();
                    condition.await();
                    order.add(number);
                    lock.unlock();
                });
            }
            for (int i = 2; i >= 0; i--) {
                signal();
                int left = i;
                TestThreads.until(() -> {
                    lock.lock();
                    try {
                        return order.size() == 3 - left;
                    } finally {
                        lock.unlock();
                    }
                });
                assertThat(waiters()).isEqualTo(left);
            }
        }
        assertThat(order).containsExactly(0, 1, 2);
    }

    @Test
    void aSignalToAllWakesAll() throws Exception {
        try (TestThreads threads = new TestThreads()) {
            for (Await await : ALL) {
                waiting(threads, () -> {
                    lock.lock();
                    assertThat(await.on(condition)).isTrue();
                    lock.unlock();
                });
            }
            lock.lock();
            assertThat(subject.waitQueueLength(condition)).isEqualTo(ALL.size());
            condition.signalAll();
            assertThat(subject.waitQueueLength(condition)).isZero();
            lock.unlock();
        }
    }

    @Test
    void aSignalWithoutWaitersIsLost() throws Exception {
        signal();
        lock.lock();
        condition.signalAll();
        assertThat(condition.awaitNanos(SHORT_NANOS)).isNotPositive();
        lock.unlock();
    }

    @Test
    void aSignalOfOneConditionIsNoneOfAnother() throws Exception {
        Condition other = lock.newCondition();
        try (TestThreads threads = new TestThreads()) {
            waiting(threads, () -> {
                lock.lock();
                condition.await();
                lock.unlock();
            });
            lock.lock();
            other.signalAll();
            assertThat(subject.waitQueueLength(condition)).isEqualTo(1);
            lock.unlock();
            signal();
        }
    }

    @Test
    void timeEndsAWaitAndNotBefore() throws Exception {
        lock.lock();
        long start = System.nanoTime();
        assertThat(condition.awaitNanos(SHORT_NANOS)).isNotPositive();
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(SHORT_NANOS);
        start = System.nanoTime();
        assertThat(condition.await(SHORT_NANOS, TimeUnit.NANOSECONDS)).isFalse();
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(SHORT_NANOS);
        Instant end = Instant.now().plusMillis(LockContractTest.SHORT_MILLIS);
        assertThat(condition.awaitUntil(Date.from(end))).isFalse();
        assertThat(Instant.now().toEpochMilli()).isGreaterThanOrEqualTo(end.toEpochMilli());
        assertThat(condition.awaitNanos(Long.MIN_VALUE)).isNotPositive();
        assertThat(condition.await(-1, TimeUnit.DAYS)).isFalse();
        assertThat(subject.isMine()).isTrue();
        lock.unlock();
        assertThat(subject.isLocked()).isFalse();
    }

    @Test
    void anInterruptEndsEveryWaitButOne() throws Exception {
        for (Await await : ALL) {
            try (TestThreads threads = new TestThreads()) {
                waiting(threads, () -> {
                            lock.lock();
                            assertThatThrownBy(() -> await.on(condition)).isInstanceOf(InterruptedException.class);
                            assertThat(Thread.currentThread().isInterrupted()).isFalse();
                            assertThat(subject.isMine()).isTrue();
                            lock.unlock();
                        })
                        .interrupt();
            }
            assertThat(waiters()).isZero();
        }
    }

    @Test
    void anInterruptBeforehandEndsThemBeforeTheLockIsReleased() throws Exception {
        try (TestThreads threads = new TestThreads()) {
            threads.start(() -> {
                for (Await await : ALL) {
                    lock.lock();
                    Thread.currentThread().interrupt();
                    assertThatThrownBy(() -> await.on(condition)).isInstanceOf(InterruptedException.class);
                    assertThat(subject.isMine()).isTrue();
                    lock.unlock();
                }
            });
        }
    }

    @Test
    void anInterruptDoesNotEndTheOther() throws Exception {
        try (TestThreads threads = new TestThreads()) {
            Thread thread = waiting(threads, () -> {
                lock.lock();
                condition.awaitUninterruptibly();
                assertThat(Thread.interrupted()).isTrue();
                lock.unlock();
            });
            thread.interrupt();
            TestThreads.until(() -> waiters() == 1 && TestThreads.sleeps(thread));
            signal();
        }
    }

    @Test
    void anInterruptAfterTheSignalIsKept() throws Exception {
        try (TestThreads threads = new TestThreads()) {
            Thread thread = waiting(threads, () -> {
                lock.lock();
                condition.await();
                assertThat(Thread.interrupted()).isTrue();
                lock.unlock();
            });
            lock.lock();
            condition.signal();
            thread.interrupt();
            lock.unlock();
        }
    }

    @Test
    void anInterruptedWaiterConsumesNoSignal() throws Exception {
        try (TestThreads threads = new TestThreads()) {
            Thread first = waiting(threads, () -> {
                lock.lock();
                assertThatThrownBy(condition::await).isInstanceOf(InterruptedException.class);
                lock.unlock();
            });
            waiting(threads, () -> {
                lock.lock();
                condition.await();
                lock.unlock();
            });
            lock.lock();
            first.interrupt();
            TestThreads.until(() -> subject.isQueued(first)); // it has stopped waiting to be signalled
            condition.signal();
            lock.unlock();
        }
    }

    @Test
    void itIsReleasedAndTakenAgainAsOftenAsItWasHeld() throws Exception {
        for (Await await : ALL) {
            try (TestThreads threads = new TestThreads()) {
                waiting(threads, () -> {
                    lock.lock();
                    lock.lock();
                    lock.lock();
                    assertThat(await.on(condition)).isTrue();
                    assertThat(subject.holdCount()).isEqualTo(3);
                    lock.unlock();
                    lock.unlock();
                    lock.unlock();
                });
                signal();
            }
        }
    }
}
