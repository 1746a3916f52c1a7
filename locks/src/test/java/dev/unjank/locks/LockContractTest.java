package dev.unjank.locks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.NotSerializableException;
import java.io.ObjectOutputStream;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The contract of an exclusive lock of java.util.concurrent; {@code locks/src/test/lock-contract.md} lists it beside
 * the checks of the JSR-166 suite.
 */
@ParameterizedClass
@EnumSource
@SuppressWarnings("LockNotBeforeTry") // no thread uses the locks of a failed test any more
class LockContractTest {
    static final long SHORT_MILLIS = 5;

    @Parameter
    LockSubject.Kind kind;

    private LockSubject subject;
    private Lock lock;

    @BeforeEach
    void make() {
        subject = kind.make();
        lock = subject.lock();
    }

    private Thread waiting(TestThreads threads, TestThreads.Action action) {
        Thread thread = threads.start(action).thread();
        TestThreads.until(() -> subject.isQueued(thread) && TestThreads.sleeps(thread));
        return thread;
    }

    @Test
    void aNewOneIsFree() {
        assertThat(subject.isLocked()).isFalse();
        assertThat(subject.isMine()).isFalse();
        assertThat(subject.holdCount()).isZero();
        assertThat(subject.queueLength()).isZero();
        assertThat(lock.toString()).containsIgnoringCase("unlocked");
    }

    @Test
    void theLockingThreadOwnsIt() {
        lock.lock();
        assertThat(subject.isLocked()).isTrue();
        assertThat(subject.isMine()).isTrue();
        assertThat(lock.toString()).contains(Thread.currentThread().getName());
        lock.unlock();
        assertThat(subject.isLocked()).isFalse();
    }

    @Test
    void onlyTheOwnerCanUnlockIt() throws Exception {
        assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(lock::unlock);
        lock.lock();
        try (TestThreads threads = new TestThreads()) {
            threads.start(() -> {
                assertThat(subject.isMine()).isFalse();
                assertThat(subject.holdCount()).isZero();
                assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(lock::unlock);
            });
        }
        assertThat(subject.isMine()).isTrue();
        lock.unlock();
    }

    @Test
    void itIsHeldAsOftenAsItWasTaken() throws Exception {
        for (int i = 1; i <= 10; i++) {
            switch (i % 4) {
                case 0 -> lock.lock();
                case 1 -> lock.lockInterruptibly();
                case 2 -> assertThat(lock.tryLock()).isTrue();
                default -> assertThat(lock.tryLock(0, TimeUnit.SECONDS)).isTrue();
            }
            assertThat(subject.holdCount()).isEqualTo(i);
        }
        for (int i = 9; i >= 0; i--) {
            lock.unlock();
            assertThat(subject.holdCount()).isEqualTo(i);
        }
        assertThat(subject.isLocked()).isFalse();
    }

    @Test
    void tryLockTakesWhatIsFreeAndNotWhatIsOwned() throws Exception {
        assertThat(lock.tryLock()).isTrue();
        try (TestThreads threads = new TestThreads()) {
            threads.start(() -> assertThat(lock.tryLock()).isFalse());
        }
        lock.unlock();
        try (TestThreads threads = new TestThreads()) {
            threads.start(() -> {
                assertThat(lock.tryLock()).isTrue();
                lock.unlock();
            });
        }
    }

    @Test
    void tryLockWaitsNoLongerThanItsTime() throws Exception {
        lock.lock();
        try (TestThreads threads = new TestThreads()) {
            threads.start(() -> {
                long start = System.nanoTime();
                assertThat(lock.tryLock(SHORT_MILLIS, TimeUnit.MILLISECONDS)).isFalse();
                assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(SHORT_MILLIS * 1_000_000);
                assertThat(lock.tryLock(0, TimeUnit.SECONDS)).isFalse();
                assertThat(lock.tryLock(Long.MIN_VALUE, TimeUnit.DAYS)).isFalse();
            });
        }
        assertThat(subject.queueLength()).isZero();
        lock.unlock();
    }

    @Test
    void tryLockGetsWhatIsReleasedInTime() throws Exception {
        lock.lock();
        try (TestThreads threads = new TestThreads()) {
            waiting(threads, () -> {
                assertThat(lock.tryLock(Long.MAX_VALUE, TimeUnit.DAYS)).isTrue();
                assertThat(subject.isMine()).isTrue();
                lock.unlock();
            });
            lock.unlock();
        }
    }

    @Test
    void aWaiterIsQueuedInTheMeantime() throws Exception {
        lock.lock();
        assertThat(subject.queueLength()).isZero();
        try (TestThreads threads = new TestThreads()) {
            Thread one = waiting(threads, this::pass);
            assertThat(subject.queueLength()).isEqualTo(1);
            Thread two = waiting(threads, () -> {
                assertThatThrownBy(lock::lockInterruptibly).isInstanceOf(InterruptedException.class);
            });
            assertThat(subject.queueLength()).isEqualTo(2);
            two.interrupt();
            two.join();
            assertThat(subject.isQueued(one)).isTrue();
            assertThat(subject.isQueued(two)).isFalse();
            assertThat(subject.queueLength()).isEqualTo(1);
            lock.unlock();
            one.join();
            assertThat(subject.isQueued(one)).isFalse();
            assertThat(subject.queueLength()).isZero();
        }
    }

    private void pass() {
        lock.lock();
        assertThat(subject.isMine()).isTrue();
        lock.unlock();
    }

    @Test
    void anInterruptEndsLockInterruptibly() throws Exception {
        lock.lock();
        try (TestThreads threads = new TestThreads()) {
            waiting(threads, () -> {
                        assertThatThrownBy(lock::lockInterruptibly).isInstanceOf(InterruptedException.class);
                        assertThat(Thread.currentThread().isInterrupted()).isFalse();
                        assertThat(subject.isMine()).isFalse();
                    })
                    .interrupt();
        }
        assertThat(subject.isMine()).isTrue();
        lock.unlock();
    }

    @Test
    void anInterruptEndsTryLockWithATime() throws Exception {
        lock.lock();
        try (TestThreads threads = new TestThreads()) {
            waiting(threads, () -> {
                        assertThatThrownBy(() -> lock.tryLock(1, TimeUnit.DAYS))
                                .isInstanceOf(InterruptedException.class);
                        assertThat(Thread.currentThread().isInterrupted()).isFalse();
                    })
                    .interrupt();
        }
        lock.unlock();
    }

    @Test
    void anInterruptBeforehandEndsBothThoughTheLockIsFree() throws Exception {
        try (TestThreads threads = new TestThreads()) {
            threads.start(() -> {
                Thread.currentThread().interrupt();
                assertThatThrownBy(lock::lockInterruptibly).isInstanceOf(InterruptedException.class);
                Thread.currentThread().interrupt();
                assertThatThrownBy(() -> lock.tryLock(1, TimeUnit.DAYS)).isInstanceOf(InterruptedException.class);
                assertThat(subject.isLocked()).isFalse();
            });
        }
    }

    @Test
    void anInterruptDoesNotEndLockAndIsKept() throws Exception {
        lock.lock();
        try (TestThreads threads = new TestThreads()) {
            Thread thread = waiting(threads, () -> {
                lock.lock();
                assertThat(Thread.interrupted()).isTrue();
                lock.unlock();
            });
            thread.interrupt();
            TestThreads.until(() -> subject.isQueued(thread) && TestThreads.sleeps(thread));
            lock.unlock();
        }
    }

    @Test
    void anInterruptDoesNotConcernTryLock() throws Exception {
        try (TestThreads threads = new TestThreads()) {
            threads.start(() -> {
                Thread.currentThread().interrupt();
                assertThat(lock.tryLock()).isTrue();
                assertThat(Thread.interrupted()).isTrue();
                lock.unlock();
            });
        }
    }

    @Test
    void itExcludesAndMakesVisible() throws Exception {
        int[] count = {0};
        try (TestThreads threads = new TestThreads()) {
            for (int i = 0; i < 4; i++) {
                threads.start(() -> {
                    for (int round = 0; round < 10_000; round++) {
                        lock.lock();
                        try {
                            count[0]++;
                        } finally {
                            lock.unlock();
                        }
                    }
                });
            }
        }
        assertThat(count[0]).isEqualTo(40_000);
    }

    @Test
    void manyMayWaitAndAllGetIt() throws Exception {
        CountDownLatch done = new CountDownLatch(20);
        lock.lock();
        try (TestThreads threads = new TestThreads()) {
            for (int i = 0; i < 20; i++) {
                waiting(threads, () -> {
                    pass();
                    done.countDown();
                });
            }
            assertThat(subject.queueLength()).isEqualTo(20);
            lock.unlock();
            assertThat(done.await(60, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(subject.isLocked()).isFalse();
        assertThat(subject.queueLength()).isZero();
    }

    /** The one difference: a serialized lock is refused here; that of the JDK comes back free. */
    @Test
    void aSerializedOneIsFreeOrRefused() throws IOException {
        try (ObjectOutputStream out = new ObjectOutputStream(new ByteArrayOutputStream())) {
            if (kind.name().contains("VIP")) {
                assertThatExceptionOfType(NotSerializableException.class).isThrownBy(() -> out.writeObject(lock));
            } else {
                out.writeObject(lock);
            }
        }
    }
}
