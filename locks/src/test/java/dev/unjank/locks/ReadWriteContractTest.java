package dev.unjank.locks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collection;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The contract of a read-write lock of java.util.concurrent; its write lock by itself is in {@link LockContractTest}.
 */
@ParameterizedClass
@EnumSource
@SuppressWarnings("LockNotBeforeTry") // no thread uses the locks of a failed test any more
class ReadWriteContractTest {
    /** A read-write lock under these tests. */
    interface Subject {
        ReadWriteLock lock();

        int readers();

        int myReads();

        boolean isWritten();

        Collection<Thread> queued();
    }

    /** The locks under the contract. */
    enum Kind {
        VIP {
            @Override
            Subject make() {
                return new Vip(new VipReadWriteLock());
            }
        },
        REENTRANT {
            @Override
            Subject make() {
                return new Jdk(new Queue(false));
            }
        },
        FAIR_REENTRANT {
            @Override
            Subject make() {
                return new Jdk(new Queue(true));
            }
        };

        abstract Subject make();
    }

    private record Vip(VipReadWriteLock lock) implements Subject {
        @Override
        public int readers() {
            return lock.getReadLockCount();
        }

        @Override
        public int myReads() {
            return lock.getReadHoldCount();
        }

        @Override
        public boolean isWritten() {
            return lock.isWriteLocked();
        }

        @Override
        public Collection<Thread> queued() {
            return lock.getQueuedThreads();
        }
    }

    private static final class Queue extends ReentrantReadWriteLock {
        private static final long serialVersionUID = 1;

        Queue(boolean isFair) {
            super(isFair);
        }

        Collection<Thread> queued() {
            return getQueuedThreads();
        }
    }

    private record Jdk(Queue lock) implements Subject {
        @Override
        public int readers() {
            return lock.getReadLockCount();
        }

        @Override
        public int myReads() {
            return lock.getReadHoldCount();
        }

        @Override
        public boolean isWritten() {
            return lock.isWriteLocked();
        }

        @Override
        public Collection<Thread> queued() {
            return lock.queued();
        }
    }

    @Parameter
    Kind kind;

    private Subject subject;
    private Lock read;
    private Lock write;

    @BeforeEach
    void make() {
        subject = kind.make();
        read = subject.lock().readLock();
        write = subject.lock().writeLock();
    }

    private Thread waiting(TestThreads threads, TestThreads.Action action) {
        Thread thread = threads.start(action).thread();
        TestThreads.until(() -> subject.queued().contains(thread) && TestThreads.sleeps(thread));
        return thread;
    }

    private static void elsewhere(TestThreads.Action action) {
        try (TestThreads threads = new TestThreads()) {
            threads.start(action);
        }
    }

    private static void pass(Lock lock) {
        lock.lock();
        lock.unlock();
    }

    @Test
    void aNewOneIsFree() {
        assertThat(subject.readers()).isZero();
        assertThat(subject.myReads()).isZero();
        assertThat(subject.isWritten()).isFalse();
        assertThat(subject.queued()).isEmpty();
    }

    @Test
    void onlyAReaderCanReleaseTheReadLock() {
        assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(read::unlock);
        read.lock();
        elsewhere(() ->
                assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(read::unlock));
        assertThat(subject.readers()).isEqualTo(1);
        read.unlock();
        write.lock();
        assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(read::unlock);
        write.unlock();
    }

    @Test
    void itIsReadAsOftenAsItWasTaken() throws Exception {
        for (int i = 1; i <= 10; i++) {
            switch (i % 4) {
                case 0 -> read.lock();
                case 1 -> read.lockInterruptibly();
                case 2 -> assertThat(read.tryLock()).isTrue();
                default -> assertThat(read.tryLock(0, TimeUnit.SECONDS)).isTrue();
            }
            assertThat(subject.myReads()).isEqualTo(i);
            assertThat(subject.readers()).isEqualTo(i);
        }
        elsewhere(() -> assertThat(subject.myReads()).isZero());
        for (int i = 9; i >= 0; i--) {
            read.unlock();
            assertThat(subject.myReads()).isEqualTo(i);
        }
        assertThat(subject.readers()).isZero();
    }

    @Test
    void manyRead() throws Exception {
        read.lock();
        CountDownLatch all = new CountDownLatch(4);
        try (TestThreads threads = new TestThreads()) {
            for (int i = 0; i < 4; i++) {
                threads.start(() -> {
                    read.lock();
                    all.countDown();
                    all.await();
                    read.unlock();
                });
            }
            all.await();
        }
        assertThat(subject.readers()).isEqualTo(1);
        read.unlock();
    }

    @Test
    void noThreadWritesWhileAnotherReads() throws Exception {
        read.lock();
        elsewhere(() -> {
            assertThat(write.tryLock()).isFalse();
            assertThat(write.tryLock(LockContractTest.SHORT_MILLIS, TimeUnit.MILLISECONDS))
                    .isFalse();
        });
        try (TestThreads threads = new TestThreads()) {
            Thread writer = waiting(threads, () -> pass(write));
            assertThat(writer.isAlive()).isTrue();
            read.unlock();
        }
        assertThat(subject.isWritten()).isFalse();
    }

    @Test
    void noThreadReadsWhileAnotherWrites() throws Exception {
        write.lock();
        elsewhere(() -> {
            assertThat(read.tryLock()).isFalse();
            assertThat(read.tryLock(LockContractTest.SHORT_MILLIS, TimeUnit.MILLISECONDS))
                    .isFalse();
            assertThat(write.tryLock()).isFalse();
        });
        try (TestThreads threads = new TestThreads()) {
            for (int i = 0; i < 3; i++) {
                waiting(threads, () -> pass(read));
            }
            write.unlock();
        }
        assertThat(subject.readers()).isZero();
    }

    @Test
    void aWriterWaitsForAllReaders() throws Exception {
        CountDownLatch both = new CountDownLatch(2);
        CountDownLatch first = new CountDownLatch(1);
        CountDownLatch second = new CountDownLatch(1);
        try (TestThreads threads = new TestThreads()) {
            for (CountDownLatch proceed : new CountDownLatch[] {first, second}) {
                threads.start(() -> {
                    read.lock();
                    both.countDown();
                    proceed.await();
                    read.unlock();
                });
            }
            both.await();
            Thread writer = waiting(threads, () -> pass(write));
            first.countDown();
            TestThreads.until(() -> subject.readers() == 1);
            assertThat(writer.isAlive()).isTrue();
            assertThat(subject.isWritten()).isFalse();
            second.countDown();
        }
        assertThat(subject.readers()).isZero();
    }

    @Test
    void aReaderThatComesWhileAWriterWaitsWaitsToo() throws Exception {
        read.lock();
        try (TestThreads threads = new TestThreads()) {
            waiting(threads, () -> pass(write));
            waiting(threads, () -> pass(read));
            read.unlock();
        }
        assertThat(subject.queued()).isEmpty();
    }

    @Test
    void aReaderMayReadAgainWhileAWriterWaits() throws Exception {
        read.lock();
        try (TestThreads threads = new TestThreads()) {
            waiting(threads, () -> pass(write));
            read.lock();
            assertThat(subject.myReads()).isEqualTo(2);
            read.unlock();
            read.unlock();
        }
    }

    @Test
    void aReaderCannotWriteButAWriterMayRead() throws Exception {
        read.lock();
        assertThat(write.tryLock()).isFalse();
        assertThat(write.tryLock(LockContractTest.SHORT_MILLIS, TimeUnit.MILLISECONDS))
                .isFalse();
        read.unlock();

        write.lock();
        read.lock();
        assertThat(read.tryLock()).isTrue();
        assertThat(read.tryLock(1, TimeUnit.DAYS)).isTrue();
        read.lockInterruptibly();
        assertThat(subject.myReads()).isEqualTo(4);
        for (int i = 0; i < 4; i++) {
            read.unlock();
        }
        assertThat(subject.isWritten()).isTrue();
        write.unlock();
    }

    @Test
    void aWriterMayGoOnReading() throws Exception {
        write.lock();
        read.lock();
        try (TestThreads threads = new TestThreads()) {
            waiting(threads, () -> pass(read));
            waiting(threads, () -> pass(write));
            write.unlock();
            assertThat(subject.isWritten()).isFalse();
            assertThat(subject.myReads()).isEqualTo(1);
            read.unlock();
        }
        assertThat(subject.readers()).isZero();
    }

    @Test
    void anInterruptEndsTheWaitOfAReaderThatAllowsIt() throws Exception {
        write.lock();
        try (TestThreads threads = new TestThreads()) {
            waiting(threads, () -> {
                        assertThatThrownBy(read::lockInterruptibly).isInstanceOf(InterruptedException.class);
                        assertThat(Thread.currentThread().isInterrupted()).isFalse();
                        assertThat(subject.myReads()).isZero();
                    })
                    .interrupt();
            waiting(
                            threads,
                            () -> assertThatThrownBy(() -> read.tryLock(1, TimeUnit.DAYS))
                                    .isInstanceOf(InterruptedException.class))
                    .interrupt();
        }
        elsewhere(() -> {
            Thread.currentThread().interrupt();
            assertThatThrownBy(read::lockInterruptibly).isInstanceOf(InterruptedException.class);
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> read.tryLock(1, TimeUnit.DAYS)).isInstanceOf(InterruptedException.class);
        });
        assertThat(subject.queued()).isEmpty();
        write.unlock();
    }

    @Test
    void anInterruptDoesNotEndTheWaitOfAnotherReader() throws Exception {
        write.lock();
        try (TestThreads threads = new TestThreads()) {
            Thread thread = waiting(threads, () -> {
                read.lock();
                assertThat(Thread.interrupted()).isTrue();
                read.unlock();
            });
            thread.interrupt();
            TestThreads.until(() -> subject.queued().contains(thread) && TestThreads.sleeps(thread));
            write.unlock();
        }
    }

    @Test
    void aWriterThatGivesUpLetsReadersIn() throws Exception {
        read.lock();
        try (TestThreads threads = new TestThreads()) {
            Thread writer = waiting(
                    threads,
                    () -> assertThatThrownBy(write::lockInterruptibly).isInstanceOf(InterruptedException.class));
            Thread reader = waiting(threads, () -> pass(read));
            writer.interrupt();
            reader.join();
        }
        read.unlock();
    }

    @Test
    void aReadLockHasNoConditions() {
        assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(read::newCondition);
    }

    @Test
    void itExcludesAndMakesVisible() throws Exception {
        int[] both = {0, 0};
        try (TestThreads threads = new TestThreads()) {
            for (int i = 0; i < 2; i++) {
                threads.start(() -> {
                    for (int round = 0; round < 5_000; round++) {
                        write.lock();
                        both[0]++;
                        both[1]++;
                        write.unlock();
                    }
                });
                threads.start(() -> {
                    for (int round = 0; round < 5_000; round++) {
                        read.lock();
                        assertThat(both[0]).isEqualTo(both[1]);
                        read.unlock();
                    }
                });
            }
        }
        assertThat(both).containsExactly(10_000, 10_000);
        assertThat(subject.readers()).isZero();
    }
}
